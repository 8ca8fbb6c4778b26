// The interface between the engine and its evaluations, which follow the board stone by stone.
#pragma once

#include <memory>
#include <vector>

#include "geometry.hpp"

namespace tengen {

struct ScoredSquare {
    Square square;
    int score = 0;
};

class Evaluation {
public:
    // Squares are scored by a policy in units of 1/65536 of a logit.
    static constexpr double policy_unit = 65536;

    virtual ~Evaluation() = default;
    virtual void place(Square s, int colour) = 0;
    virtual void remove(Square s, int colour) = 0;
    // Score of the position for the side to move at the start of its turn.
    virtual int value(int turn) const = 0;
    // The same for ordering moves, which may use other weights.
    virtual int order_value(int turn) const { return value(turn); }
    // Scores these empty squares for a side with `stones_left` stones to place in its turn.
    virtual void score_squares(int side, int stones_left, std::vector<ScoredSquare>& squares) const = 0;
    // Whether the scores of squares are logits of a policy. If so, moves are ordered by their probability, else by order_value().
    virtual bool has_policy() const { return false; }
};

// Weights from which evaluations of boards are made; they must outlive them.
class EvaluationWeights {
public:
    virtual ~EvaluationWeights() = default;
    // Throws std::invalid_argument if the weights are for another game.
    virtual std::unique_ptr<Evaluation> make(const Geometry& geometry, int p) const = 0;
};

}  // namespace tengen
