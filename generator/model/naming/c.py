# SPDX-License-Identifier: BSD-3-Clause
"""Names and free text in C: what is reserved, how text is escaped (docs/schema.md)."""

import re

RESERVED = {
    "a keyword of C++": """
        alignas alignof and and_eq bitand bitor bool catch char16_t char32_t char8_t class compl
        concept const_cast consteval constinit co_await co_return co_yield decltype delete
        dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq
        operator or or_eq private protected public reinterpret_cast requires static_assert
        static_cast template this thread_local throw true try typeid typename using virtual
        wchar_t xor xor_eq
    """,
    "a keyword of C compilers": "asm typeof typeof_unqual constexpr nullptr fortran",
    "a keyword of C": """
        auto break case char const continue default do double else enum extern float for goto if
        inline int long register restrict return short signed sizeof static struct switch typedef
        union unsigned void volatile while
    """,
    "a macro of the compiler": "linux unix i386",
    "a macro of the C library": """
        errno assert EOF NULL stdin stdout stderr complex I offsetof noreturn va_list
    """,
    "a macro of DPDK": "likely unlikely container_of",
    "a type of the C library": """
        bool int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
        size_t ssize_t ptrdiff_t off_t pid_t time_t max_align_t FILE
    """,
}
"""Names that cannot be used, by the reason: keywords of C11 and C++17 and of what compilers accept
beyond them, macros of headers, which no scope protects from, types that a parameter would hide."""

REASONS = {word: why for why, words in reversed(RESERVED.items()) for word in words.split()}
"""The reason for each of them."""

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""A name in a schema: a C identifier that starts with a letter."""

_FORMAT_MACRO = re.compile("(PRI|SCN)[diouxX]")


def reserved(name: str) -> str:
    """Why a name cannot be used in C or C++, or nothing when it can."""
    if name in REASONS:
        return REASONS[name]
    if name.startswith("_"):
        return "reserved for the compiler: it starts with an underscore"
    if "__" in name:
        return "reserved in C++: it has two underscores in a row"
    if (name == name.upper() and IDENTIFIER.match(name)) or _FORMAT_MACRO.match(name):
        return "reserved for macros, which have no lower-case letters"
    owners = {"rte_": "DPDK", "ctr_": "the runtime of ctrgen"}
    owner = owners.get(name[:4].lower())
    return f"reserved for {owner}" if owner else ""


def fold(name: str) -> str:
    """A name as management protocols compare names: `RxPkts` and `rx_pkts` are the same."""
    return name.replace("_", "").lower()


INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that show nothing, or turn the text around them."""
_DOXYGEN = re.compile(r"[\\@]|[<&](?=[A-Za-z/!#])|[#%](?=\w)")
_QUOTED = re.compile(r'["\\]|(?<=\?)\?')
_UNPRINTABLE = re.compile("[^ -~]")
_PLAIN = re.compile(r"[ !#->@-\[\]-~]*")
_TRIGRAPH = re.compile(r"\?(?=\?)")

_UNSAFE = re.compile(r"[^ -~]|[\\@<&#%*]|\?\?")
"""Text that `escape_comment` may have to change."""


def escape_comment(text: str) -> str:
    """Free text for a `/** */` comment, on one line: nothing in it ends or starts a comment,
    continues a line, changes the direction of text, or is a command of Doxygen."""
    text = " ".join(text.split())
    if not _UNSAFE.search(text):
        return text
    text = INVISIBLE.sub(lambda m: f"U+{ord(m[0]):04X}", text)
    text = _DOXYGEN.sub(lambda m: "\\" + m[0], text)
    text = _TRIGRAPH.sub("? ", text)
    while "*/" in text or "/*" in text:
        text = text.replace("*/", "* /").replace("/*", "/ *")
    return text[:-1] + "\\ ." if text.endswith("\\") else text


def escape_string(text: str) -> str:
    """Free text for the inside of a C string literal. What is not printable ASCII becomes octal
    escapes of UTF-8, which unlike hexadecimal ones cannot run on into what follows."""
    if _PLAIN.fullmatch(text):
        return text
    text = _QUOTED.sub(r"\\\g<0>", text)
    return _UNPRINTABLE.sub(
        lambda m: "".join(f"\\{octet:03o}" for octet in m[0].encode("utf-8", "replace")), text
    )
