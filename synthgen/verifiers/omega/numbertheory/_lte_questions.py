"""What `numbertheory_lte_qr` asks, by kind of question."""

from __future__ import annotations

QUESTIONS = {
    "least_root": (
        "Take the smallest prime p such that {fn} is a multiple of {pe} for at least one positive"
        " integer n. What is the smallest such n for this p? Give an integer.",
        "For some primes p there are positive integers x that make {fx} divisible by {pe}. Choose"
        " the smallest of these primes. Which is the least positive integer x that then does so?"
        " Answer with an integer.",
        "Find the least prime p for which {fm} is congruent to zero modulo {pe} for some integer m,"
        " and then the least positive integer m with this property. Give m, an integer.",
        "A prime p is called fitting if {pe} divides {fn} for some positive integer n. Let p be the"
        " smallest fitting prime. Determine the smallest positive integer n for which {pe} divides"
        " {fn}. The answer is an integer.",
    ),
    "lifted_root": (
        "Let p be the smallest prime such that {pe} divides {fn} for some positive integer n. Find"
        " the smallest positive integer m for which even {pf} divides {fm}. Give an integer.",
        "For some primes p there are positive integers x that make {fx} divisible by {pe}. Choose"
        " the smallest of these primes. Which is the least positive integer x that makes {fx}"
        " divisible by {pf}? Answer with an integer.",
        "Find the least prime p for which {fm} is congruent to zero modulo {pe} for some integer m."
        " With this p, what is the least positive integer m for which {fm} is congruent to zero"
        " modulo {pf}? Give m, an integer.",
        "A prime p is called fitting if {pe} divides {fn} for some positive integer n. Let p be the"
        " smallest fitting prime. Determine the smallest positive integer n for which {pf} divides"
        " {fn}. The answer is an integer.",
    ),
    "largest_root": (
        "Let p be the smallest prime such that {pe} divides {fn} for some positive integer n. Find"
        " the largest integer m that is not above {pf} and for which {pf} divides {fm}. Give an"
        " integer.",
        "For some primes p there are positive integers x that make {fx} divisible by {pe}. Choose"
        " the smallest of these primes. Among the positive integers x up to {pf}, which is the"
        " largest that makes {fx} divisible by {pf}? Answer with an integer.",
        "Find the least prime p for which {fm} is congruent to zero modulo {pe} for some integer m."
        " With this p, what is the greatest positive integer m of at most {pf} for which {fm} is"
        " congruent to zero modulo {pf}? Give m, an integer.",
        "A prime p is called fitting if {pe} divides {fn} for some positive integer n. Let p be the"
        " smallest fitting prime. Determine the largest of the positive integers n that are at most"
        " {pf} and for which {pf} divides {fn}. The answer is an integer.",
    ),
    "root_of_minus_one": (
        "Among the primes p that are one more than a multiple of {q}, take the smallest for which"
        " {n} is congruent to minus one modulo {pe} for some integer n. What is the smallest"
        " positive n with this property? Give an integer.",
        "Some primes p leave the remainder one on division by {q} and also admit an integer x such"
        " that {x} leaves the same remainder as minus one on division by {pe}. For the smallest"
        " such prime, which is the least positive x? Answer with an integer.",
        "Let p be the least prime such that {q} divides p minus one and the congruence of {m} and"
        " minus one modulo {pe} can be solved in integers m. Find its least positive solution m for"
        " this p. Give an integer.",
        "A prime p is called fitting if it is congruent to one modulo {q} and {pe} divides the sum"
        " of {n} and one for some positive integer n. Let p be the smallest fitting prime."
        " Determine the smallest such n. The answer is an integer.",
    ),
    "n_roots": (
        "How many of the integers m from one to {pe} have the property that {m} is congruent to"
        " minus one modulo {pe}? Give an integer.",
        "Count the positive integers x, none above {pe}, for which the sum of {x} and one is"
        " divisible by {pe}. Answer with an integer.",
        "In how many residue classes n modulo {pe} is {n} congruent to minus one? Give their"
        " number, an integer.",
        "Find the number of integers m, at least one and at most {pe}, such that {pe} divides the"
        " number that follows {m}. The answer is an integer.",
    ),
    "n_roots_plus_least": (
        "Among the integers m from one to {pe}, let N be the number of those for which {m} is"
        " congruent to minus one modulo {pe}, and let M be the least of them. What is N + M? Give"
        " an integer.",
        "Count the positive integers x, none above {pe}, for which the sum of {x} and one is"
        " divisible by {pe}, and add the smallest such x to their number. Answer with the resulting"
        " integer.",
        "Let N be the number of residue classes n modulo {pe} in which {n} is congruent to minus"
        " one, and let M be the smallest positive integer in any of them. Find N + M, an integer.",
        "Consider the integers m, at least one and at most {pe}, such that {pe} divides the number"
        " that follows {m}. Give the sum of how many there are and the smallest one. The answer is"
        " an integer.",
    ),
}
"""Wordings with holes for terms and powers."""
