"""Wordings of COGS's instruction prompts; the input stands in backticks, alone on its line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import choice_text
from synthgen.core.randomness import Rows

SENTENCE = "The pilot sold a lamp on the shelf to Vera ."
FORMULA = (
    "* pilot ( x _ 1 ) ; * shelf ( x _ 7 ) ; sell . agent ( x _ 2 , x _ 1 ) AND "
    "sell . theme ( x _ 2 , x _ 4 ) AND sell . recipient ( x _ 2 , Vera ) AND lamp ( x _ 4 ) AND "
    "lamp . nmod . on ( x _ 4 , x _ 7 )"
)
FREE = (
    "sell ( agent = * pilot , theme = lamp ( nmod . on = * shelf ) , recipient = Vera )",
    "need ( agent = Vera , xcomp = laugh ( agent = Vera ) )",
)
_EXAMPLE = f"Example: {SENTENCE} becomes {FORMULA}"
_FREE_EXAMPLE = (
    f"Example: {SENTENCE} becomes {FREE[0]} and Vera needed to laugh . becomes {FREE[1]}"
)

_SENTENCES = (
    "Translate the sentence into its logical form. Count its tokens from 0; a common noun or a "
    "verb at place i has the variable x _ i, and a name stands for itself. Begin with "
    "* noun ( x _ i ) ; for each noun that has the article the. Then join the rest by AND, ordered "
    "by the first variable: noun ( x _ i ) for a noun with a; noun . nmod . on ( x _ i , x _ j ) "
    "(or in, beside) for a phrase that belongs to a noun; verb . role ( x _ i , filler ) for each "
    "role of a verb in its base form. The roles are agent, theme, recipient, ccomp (the verb of a "
    "that-clause) and xcomp (an infinitive, which has the same agent). {example}",
    "What does this sentence say? Write a conjunction of terms separated by AND. Every common noun "
    "and verb is a variable x _ i, where i is its place counted from 0 (articles count, too); "
    "names are used as they are. Verbs, in the base form, give one term for each participant: "
    "agent (who acts), theme (who or what is affected), recipient, ccomp (the embedded "
    "statement's verb) or xcomp (the infinitive). A noun with a gives the term noun ( x _ i ); "
    "nouns with the come first of all, each as * noun ( x _ i ) ; . Phrases with on, in and beside "
    "are noun . nmod . on ( x _ i , x _ j ). Terms are sorted by their first variable. {example}",
    "Give the semantic representation of the sentence below. Rules: (1) tokens are numbered from "
    "0 and x _ n is the thing or event that token n names; (2) people's names have no variable; "
    "(3) definite nouns are listed in front, as * noun ( x _ n ) ;, in the order of the sentence; "
    "(4) after that come terms joined by AND: indefinite nouns as noun ( x _ n ), modifiers as "
    "noun . nmod . in ( x _ n , x _ m ), and verb . role ( x _ n , filler ) with the roles agent, "
    "theme, recipient, ccomp and xcomp; (5) terms go by the position of their first argument, the "
    "roles of one verb by the position of their fillers. Verbs are in their base form. {example}",
    "Parse the sentence into a logical formula. Each word has an index, the first one 0. Write the "
    "nouns introduced by the as * noun ( x _ index ) ; at the beginning. Follow with conjuncts "
    "linked by AND, from left to right: a noun introduced by a, noun ( x _ index ); a preposition "
    "attached to a noun, noun . nmod . beside ( x _ index , x _ index ); the participants of a "
    "verb, verb . agent, verb . theme or verb . recipient, each with ( x _ index , filler ); a "
    "clause after that, verb . ccomp; an infinitive after to, verb . xcomp, where the subject is "
    "the agent of both verbs. Proper names fill a role without an index. {example}",
    "Convert the English sentence to a formula. Nouns and verbs become predicates over variables "
    "x _ k, with k the word's position starting at 0; a verb appears as its dictionary form with a "
    "role: agent, theme, recipient, ccomp for the clause it embeds, xcomp for its infinitive. "
    "Being done to makes the subject of a passive a theme, or a recipient if something was given "
    "to it. Definite descriptions (with the) are put first as * noun ( x _ k ) ; and the other "
    "terms follow, joined by AND and sorted by their first variable. Prepositions give "
    "noun . nmod . preposition ( x _ k , x _ l ). {example}",
    "Write down the meaning of this sentence as a list of facts joined by AND. Use x _ p for the "
    "noun or verb at position p (the first word is at 0) and the bare name for a named person. A "
    "fact is noun ( x _ p ), noun . nmod . on ( x _ p , x _ q ), or verb . role ( x _ p , x _ q ) "
    "with role agent, theme, recipient, ccomp or xcomp. For nouns with the, the fact is "
    "* noun ( x _ p ) and moves to the front with ; behind it. The other facts keep the order of "
    "their first positions. Verbs lose their tense. {example}",
)
_FREE_SENTENCES = (
    "Translate the sentence into a logical form without variables. A verb, in its base form, is a "
    "function of its roles: verb ( role = filler , ... ). Roles come in the order of the sentence: "
    "agent, theme, recipient, ccomp (the that-clause) and xcomp (the infinitive, whose agent is "
    "repeated). A noun with the is written * noun, a noun with a as noun, a name as it is, and a "
    "phrase that belongs to a noun as noun ( nmod . on = noun ). {example}",
    "What does this sentence say? Write nested terms of the form verb ( role = filler , ... ) with "
    "the verb's dictionary form. Roles are agent, theme and recipient, ccomp for an embedded "
    "clause and xcomp for an infinitive, which says its agent again; the subject comes first, the "
    "others as they follow. Put * before nouns that have the article the, and attach on, in and "
    "beside as noun ( nmod . in = noun ). {example}",
    "Give the semantic representation of the sentence as one function call. The main verb is the "
    "function and role = value are its arguments, in surface order, separated by commas. A value "
    "is a name, a noun (definite ones as * noun), a noun with its modifier in parentheses, "
    "noun ( nmod . beside = noun ), or the call of an embedded verb: ccomp for that-clauses, xcomp "
    "for infinitives. Other roles: agent, theme, recipient. {example}",
    "Parse the sentence into brackets: verb ( agent = ... , theme = ... , recipient = ... ), with "
    "only the roles that are there and in the order in which the sentence has them. A clause after "
    "that becomes ccomp = verb ( ... ), an infinitive xcomp = verb ( agent = ... ) with the same "
    "agent. The article the is *, the article a is left out, and prepositions become "
    "( nmod . preposition = ... ) after their noun. {example}",
    "Convert the English sentence to a tree in text form. Inner nodes are verbs without tense, and "
    "nouns that have a prepositional phrase; branches are labelled agent, theme, recipient, ccomp "
    "(embedded clause), xcomp (infinitive) or nmod . on, nmod . in, nmod . beside. Write "
    "node ( label = branch , label = branch ). A definite noun has a star in front. {example}",
)
_WORDS = (
    "What does this single word mean on its own? Answer a name with the name, a noun with "
    "LAMBDA a . noun ( a ), a verb that only has an agent with "
    "LAMBDA a . LAMBDA e . verb . agent ( e , a ), one that can have a theme alone with "
    "LAMBDA a . LAMBDA e . verb . theme ( e , a ), and a verb with agent and theme with "
    "LAMBDA a . LAMBDA b . LAMBDA e . verb . agent ( e , b ) AND verb . theme ( e , a ). "
    "For example, vase is LAMBDA a . vase ( a )",
    "Write the lambda term of the word below. Nouns are predicates of one thing, as in "
    "LAMBDA a . vase ( a ). Verbs are predicates of their arguments and of the event e: "
    "LAMBDA a . LAMBDA e . verb . agent ( e , a ) for a verb of acting without an object, the "
    "same with theme for a verb of change, and "
    "LAMBDA a . LAMBDA b . LAMBDA e . verb . agent ( e , b ) AND verb . theme ( e , a ) for a "
    "transitive verb. A person's name means just itself",
    "Give the logical form of one word. A name is its own meaning. For a noun it is "
    "LAMBDA a . noun ( a ). For a verb it binds the arguments and then the event e: with an agent "
    "LAMBDA a . LAMBDA e . verb . agent ( e , a ), with a theme "
    "LAMBDA a . LAMBDA e . verb . theme ( e , a ), with both "
    "LAMBDA a . LAMBDA b . LAMBDA e . verb . agent ( e , b ) AND verb . theme ( e , a ). "
    "So the noun vase gives LAMBDA a . vase ( a )",
    "Translate the word into a function. vase becomes LAMBDA a . vase ( a ) and so does every "
    "noun; a first name stays as it is; verbs are functions of what takes part and of an event, "
    "LAMBDA a . LAMBDA e . verb . agent ( e , a ) when somebody acts, "
    "LAMBDA a . LAMBDA e . verb . theme ( e , a ) when something changes by itself, and "
    "LAMBDA a . LAMBDA b . LAMBDA e . verb . agent ( e , b ) AND verb . theme ( e , a ) when "
    "somebody does something to something",
    "State the meaning of the following word in isolation, in one of these forms: the word itself "
    "for a name; LAMBDA a . noun ( a ); LAMBDA a . LAMBDA e . verb . agent ( e , a ) for "
    "intransitive actions; LAMBDA a . LAMBDA e . verb . theme ( e , a ) for intransitive changes; "
    "LAMBDA a . LAMBDA b . LAMBDA e . verb . agent ( e , b ) AND verb . theme ( e , a ) for "
    "transitive verbs. The word vase would be LAMBDA a . vase ( a )",
)


def instructions(
    rows: Rows,
    inputs: pa.StringArray,
    is_word: NDArray[np.bool_],
    *,
    variable_free: bool,
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each input into the wording that its own draw chooses.

    Args:
        rows: whose draws choose.
        inputs: sentences and single words, n texts.
        is_word: which of them are single words, (n,).
        variable_free: which logical form is asked for.

    Returns:
        Prompts and names of their wordings, n each.
    """
    sentences = _FREE_SENTENCES if variable_free else _SENTENCES
    example = _FREE_EXAMPLE if variable_free else _EXAMPLE
    wordings = [*(text.format(example=example) for text in sentences), *_WORDS]
    names = [*_numbered("instruction", sentences), *_numbered("instruction_word", _WORDS)]
    drawn = rows.branch("template").draws().bits()
    of_sentences = drawn % np.uint64(len(sentences))
    of_words = drawn % np.uint64(len(_WORDS)) + np.uint64(len(sentences))
    choice = np.where(is_word, of_words, of_sentences).astype(np.int64)
    before = choice_text(choice, [f"{text}\n\n`" for text in wordings]).dictionary_decode()
    after = choice_text(np.zeros(len(choice), np.int64), ["`"]).dictionary_decode()
    prompts = pc.binary_join_element_wise(before, inputs, after, "")
    return prompts, choice_text(choice, names)


def _numbered(name: str, wordings: Sequence[str]) -> list[str]:
    return [f"{name}_{number}" for number in range(1, len(wordings) + 1)]
