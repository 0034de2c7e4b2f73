// Package learn trains evaluations of positions by self-play, for any rule book.
//
// Features describe a position from the view of a team. They are derived from the board and the rules, and by probing the
// engine for what pieces can do. An Eval estimates each team's win probability from its features. Train fits the weights by
// self-play. A file stores them, for exactly the rules they were trained with.
//
// Note: an Eval judges positions before a throw. At a choice, judge the position that follows each option.
package learn
