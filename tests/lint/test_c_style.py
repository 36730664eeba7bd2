# SPDX-License-Identifier: BSD-3-Clause
"""What the check of the C's style finds, and what it leaves to people."""

from .c_style import findings

FORMATTED = "int\nsum(int a,\n    int b)\n{\n\treturn a +\n\t       b;\n}\n"


def test_how_far_a_continuation_goes_in_is_free() -> None:
    text = FORMATTED.replace("    int b", "\t\tint b").replace("\t       b", "\t\t\tb")
    assert list(findings(text, FORMATTED)) == []


def test_spaces_for_tabs_are_found_there() -> None:
    text = FORMATTED.replace("\t       b", "                b")
    assert list(findings(text, FORMATTED)) == [(6, "should be: b;")]


def test_the_indentation_of_a_statement_is_not_free() -> None:
    text = FORMATTED.replace("\treturn", "\t\treturn")
    assert list(findings(text, FORMATTED)) == [(5, "should be: return a +")]


def test_other_differences_are_found() -> None:
    text = FORMATTED.replace("int\nsum", "int sum")
    assert list(findings(text, FORMATTED)) == [(1, "should be: int / sum(int a,")]


def test_generated_code_has_on_one_line_what_the_style_has_on_several() -> None:
    text = "int sum(int a, int b)\n{ return a + b; }\n"
    formatted = "int\nsum(int a, int b)\n{\n\treturn a + b;\n}\n"
    assert list(findings(text, formatted, dense=True)) == []
    assert list(findings(text, formatted)) != []
    for wrong in (text.replace("a + b", "a+b"), text.replace("{ return", "{return")):
        assert list(findings(wrong, formatted, dense=True)) != []


def test_long_lines_are_found_but_for_texts() -> None:
    code, text = "\tx = " + "y" * 100 + ";\n", '\tf("' + "y" * 100 + '");\n'
    assert list(findings(code, code)) == [(1, "more than 100 columns")]
    assert list(findings(text, text)) == []
