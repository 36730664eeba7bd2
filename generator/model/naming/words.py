# SPDX-License-Identifier: BSD-3-Clause
"""Words that mean something to C, C++ or their usual headers."""

from __future__ import annotations


def _by_word(reasons: dict[str, str]) -> dict[str, str]:
    return {word: reason for reason, words in reasons.items() for word in words.split()}


KEYWORDS = _by_word({
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
})  # fmt: skip
"""Keywords of C11 and C++17, and of what compilers accept beyond them."""

MACROS = _by_word({
    "the compiler": "linux unix i386",
    "the C library": """
        errno assert EOF NULL stdin stdout stderr complex I offsetof noreturn va_list
    """,
    "DPDK": "likely unlikely container_of",
})  # fmt: skip
"""Names that headers define as macros, which no scope protects from."""

_TYPES = """
    bool int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
    size_t ssize_t ptrdiff_t off_t pid_t time_t max_align_t FILE
"""

TYPES = frozenset(_TYPES.split())
"""Type names that generated code uses or includes; a parameter would hide them."""
