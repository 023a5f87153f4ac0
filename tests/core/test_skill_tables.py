"""Inventories of a user's own, as CSV and as TOML, and topics."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.core.skill_inventory import Skill
from synthgen.core.skill_tables import read_skills, read_topics

HEADER = "category,skill,definition,example,comments,status,added by\n"
PUBLISHED = (
    HEADER
    + 'literary, zeugma ,"One verb, two objects.",She lost her hat and her nerve.,,,me\n'
    + "literary,bathos,From the high to the low.,He gave his life and his umbrella.,,ok,\n"
    + "logical,left out,d,e,,In Review,\n"
    + "logical,left out too,d,e,,remove,\n"
    + "logical,and this,d,e,, maybe ,\n"
)
TOML = """
# of my own
[[skill]]
skill = "zeugma"
category = "literary"
definition = "One verb, two objects."
example = "She lost her hat and her nerve."

[[skill]]
name = "bathos"
category = "literary"
definition = "From the high to the low."
example = "He gave his life and his umbrella."
status = "keep"

[[skill]]
name = "gone"
status = "remove"
"""
SKILLS = (
    Skill(
        "zeugma",
        "zeugma",
        "literary",
        "One verb, two objects.",
        "She lost her hat and her nerve.",
    ),
    Skill(
        "bathos",
        "bathos",
        "literary",
        "From the high to the low.",
        "He gave his life and his umbrella.",
    ),
)


@pytest.mark.parametrize("text", [PUBLISHED, TOML, "\ufeff" + PUBLISHED, "\n" + PUBLISHED])
def test_both_forms_are_read_and_rows_that_are_not_settled_left_out(text: str) -> None:
    assert read_skills(text) == SKILLS


def test_lines_within_a_cell_are_joined() -> None:
    text = HEADER + 'a,one,"two\n  lines",e\na,two,d,e\n'
    assert read_skills(text)[0].definition == "two lines"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("category,skill,definition\na,b,c\n", "line 1, column example.*in the header"),
        ("category,skil,definition,example\n", "line 1, column skill.*is it 'skil'"),
        (HEADER + "a,one,,e\n", "line 2, column definition"),
        (HEADER + 'a,"x\ny",d,e\na,two,d,\n', "line 4, column example"),
        (HEADER + "a,one,d,e\n\nb,ONE (again),d,e\n", "line 4, column skill.*that of line 2"),
        (HEADER + "a,on: e,d,e\n", "line 2, column skill.*without colons"),
        (HEADER + "a,--,d,e\n", "line 2, column skill.*a letter"),
        (HEADER + "a,b,d,e,c,s,x,y\n", "line 2, column 8.*at most 7 columns"),
        (HEADER + 'a,"b,d,e\n', "line 2.*CSV"),
        (HEADER + "a,one,d,e\n", "1 skills.*2 to 1,000"),
        ("", "0 skills"),
        (
            '[[skill]]\nname = "x"\nexampel = "e"\n',
            "line 1, column exampel.*did you mean 'example'",
        ),
        ('\n[[skill]]\nname = 5\ncategory = "c"\n', "line 2, column skill|line 2, column"),
        ('[[skill]]\nname = "x\n', "TOML"),
    ],
)
def test_faults_name_line_and_column(text: str, message: str) -> None:
    with pytest.raises(ParamError, match=message) as caught:
        read_skills(text)
    assert caught.value.name == "inventory"


def test_topics_one_a_line() -> None:
    assert read_topics(" Bread\n\n  Salt  mines \n") == ("Bread", "Salt mines")
    for text, message in (
        ("Bread\nBread", "line 2.*line 1"),
        ("Bread, butter\n", "line 1.*punctuation"),
        ("x" * 61, "line 1.*at most 60"),
        ("\n\n", "0 topics"),
    ):
        with pytest.raises(ParamError, match=message) as caught:
            read_topics(text)
        assert caught.value.name == "topics"
