// What the engine asks of an evaluation, which follows the board stone by stone.
#pragma once

#include "geometry.hpp"

namespace tengen {

class Evaluation {
public:
    virtual ~Evaluation() = default;
    virtual void place(Square s, int colour) = 0;
    virtual void remove(Square s, int colour) = 0;
    // What the position is worth to the side to move, who has all stones of his turn before him.
    virtual int value(int turn) const = 0;
    // How good it looks to that side, for the order in which moves are tried: that need not be the same.
    virtual int promise(int turn) const { return value(turn); }
    // How much a square matters to a side that may place a stone there.
    virtual int interest(Square s, int side) const = 0;
};

}  // namespace tengen
