"""Wordings of SCAN's instruction prompts; the command stands in backticks, alone on its line."""

from __future__ import annotations

from dataclasses import dataclass

from synthgen.generators._scan_language import MANNERS, Language


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences that together tell the language; a rule whose words are not in use is left out.

    Attributes:
        verbs: what is asked, and what verbs, directions and `turn` mean.
        manners: with {list}, of items `manner`.
        manner: with {word} and {actions}, T for a turn and A for the verb's action.
        repeats: with {list}, of items `repeat`.
        repeat: with {word} and {times}.
        links: what `and` and `after` mean.
        chains: how three or more phrases are grouped.
        answer: in which form the answer is wanted.
    """

    verbs: str
    manners: str
    manner: str
    repeats: str
    repeat: str
    links: str
    chains: str
    answer: str


_WORDINGS = (
    Wording(
        "Translate the command below into actions. A verb is the action named I_ and the verb in "
        "capitals: walk is I_WALK. With a direction there is first a turn, then the action: walk "
        "left is I_TURN_LEFT I_WALK. The word turn has no action of its own, so turn left is just "
        "I_TURN_LEFT.",
        "A word between verb and direction changes the order, T being the turn and A the verb's "
        "action (none for turn): {list}.",
        "{word} gives {actions}",
        "A last word repeats all actions of its phrase: {list}.",
        "{word} does them {times} times",
        "X and Y does X, then Y; X after Y does Y first, then X.",
        "Of several, the leftmost is joined first: X and Y after Z is (X and Y) after Z.",
        "Answer with the actions only, separated by single spaces.",
    ),
    Wording(
        "A robot is told the command at the end. Which actions does it do, in order? Its actions "
        "bear the names of the verbs in capitals after I_, as I_WALK for walk, and its turns those "
        "of the directions, as I_TURN_LEFT for left. A direction after a verb makes it turn "
        "before it acts (T A); after turn, which is no action, it makes the turn alone (T).",
        "Modifiers before the direction ask for more turns T and actions A, where turn again has "
        "no A: {list}.",
        "{word} is {actions}",
        "Then the phrase may be repeated: {list}.",
        "{word} means {times} times in all",
        "For P and Q the robot does P first; for P after Q it does Q first.",
        "Longer chains are grouped from the left, so P after Q and R means (P after Q) and R.",
        "Write the action names on one line with one space between them and nothing else.",
    ),
    Wording(
        "Here is a small language. Each verb stands for one action, written I_ and the verb in "
        "upper case (walk: I_WALK), only turn stands for none. Each direction stands for a turn, "
        "written I_TURN_ and the direction in upper case (left: I_TURN_LEFT). Verb and direction "
        "together mean the turn followed by the action.",
        "With a word in between they mean, for turn T and action A ({list}); with the verb turn, "
        "leave A out.",
        "{word}: {actions}",
        "A phrase ends with a repeat word when all of it is done more than once ({list}).",
        "{word}: {times} times",
        "Two phrases joined by and are done from left to right, two joined by after from right to "
        "left.",
        "Where more than two are joined, what stands to the left of a joining word counts as one "
        "phrase.",
        "Spell out the meaning of this command as action names with single spaces between them.",
    ),
    Wording(
        "Interpret the navigation command. Rules: (1) verb -> I_VERB, for example walk -> I_WALK, "
        "but turn -> nothing; (2) verb direction -> I_TURN_DIRECTION, then the verb's action, for "
        "example walk left -> I_TURN_LEFT I_WALK and turn left -> I_TURN_LEFT.",
        "(3) With a modifier before the direction, T = I_TURN_DIRECTION and A = the verb's action "
        "or nothing for turn: {list}.",
        "{word} -> {actions}",
        "(4) A phrase is repeated by its last word: {list}.",
        "{word} -> {times} times",
        "(5) X and Y -> X Y, but X after Y -> Y X.",
        "(6) Joining words group to the left.",
        "Output just the resulting actions in capitals, separated by spaces.",
    ),
    Wording(
        "Write out everything that happens when this command is obeyed. To obey a verb, do its "
        "action (I_ and the verb in capitals, such as I_WALK for walk); turn has no action. If a "
        "direction follows, make its turn (such as I_TURN_LEFT for left) before the action.",
        "If a further word precedes the direction, do as it says, where T is the turn and A the "
        "action, if there is one: {list}.",
        "for {word}, {actions}",
        "If a repeat word follows, do all this more often: {list}.",
        "for {word}, {times} times",
        "If there are two parts, with and obey the left one first, with after the right one first.",
        "If there are more parts, begin with the leftmost two, then add the next one to them as "
        "its joining word says.",
        "Give only the names of the actions in order, with one space after each but the last.",
    ),
    Wording(
        "Compile the instruction into a sequence of actions. Primitives: any verb V yields I_V in "
        "capitals (I_WALK for walk), except that turn yields the empty sequence; any direction D "
        "yields the turn I_TURN_D in capitals (I_TURN_LEFT for left). The phrase V D yields the "
        "turn of D and then V's sequence.",
        "Writing T for the turn and A for V's sequence, {list}.",
        "V {word} D yields {actions}",
        "A phrase followed by a repeat word yields its sequence several times: {list}.",
        "{word} {times} times",
        "Finally, P and Q yields P's sequence before Q's, and P after Q yields Q's before P's.",
        "Both are left-associative and rank equally.",
        "Return the sequence alone, its actions separated by single spaces.",
    ),
)
N_WORDINGS = len(_WORDINGS)
_TIMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine")


def instruction_templates(language: Language, max_phrases: int) -> list[tuple[str, str]]:
    """Return the text before and after the command, for each wording; each tells all the rules.

    Args:
        language: whose words are explained.
        max_phrases: connectives are explained from 2 on, their grouping from 3 on.
    """
    return [(f"{_told(wording, language, max_phrases)}\n\n`", "`") for wording in _WORDINGS]


def _told(wording: Wording, language: Language, max_phrases: int) -> str:
    manners = [
        wording.manner.format(word=word, actions=" ".join(MANNERS[word]))
        for word in language.manner_words
    ]
    repeats = [
        wording.repeat.format(word=word, times=_TIMES[i])
        for i, word in enumerate(language.repeat_words)
    ]
    sentences = [wording.verbs]
    if manners:
        sentences.append(wording.manners.format(list=", ".join(manners)))
    if repeats:
        sentences.append(wording.repeats.format(list=", ".join(repeats)))
    if max_phrases > 1:
        sentences.append(wording.links)
    if max_phrases > 2:
        sentences.append(wording.chains)
    return " ".join([*sentences, wording.answer])
