// Package learn has evaluations of positions that are learned by play, for any rule book.
//
// Features say what a position is like for a team; they are found from the board and the rules, and by asking the engine what
// pieces can do. An Eval estimates each team's probability to win from them. Train finds its weights by playing against
// itself. A file keeps them, for the rules they were learned with and no others.
//
// What a newcomer gets wrong: an Eval judges positions before a throw. At a choice, judge what follows each option.
package learn
