// The evaluation `counts`: a sum over all segments of k squares, each weighted by the number of stones of each side on it.
#pragma once

#include <array>

#include "board.hpp"
#include "evaluation.hpp"

namespace tengen {

// Weights of segments by the number of stones of each side on them.
struct SegmentTable {
    std::vector<std::array<int, 2>> by_code;  // [black stones + (k + 1) * white stones][side to move]

    // `own` and `other`: score for the side to move of a segment with stones of that side alone, or of the other side alone.
    SegmentTable(int k, const std::vector<int>& own, const std::vector<int>& other) : by_code(std::size_t(k + 1) * std::size_t(k + 1)) {
        if (own.size() != std::size_t(k + 1) || other.size() != own.size()) throw std::invalid_argument("expected k + 1 weights for each side");
        for (int stones = 1; stones <= k; ++stones) {
            const auto at = std::size_t(stones);
            by_code[at] = {own[at], -other[at]};
            by_code[at * std::size_t(k + 1)] = {-other[at], own[at]};
        }
    }

    int gain(int before, int after, int turn) const {
        return by_code[std::size_t(after)][std::size_t(turn)] - by_code[std::size_t(before)][std::size_t(turn)];
    }
};

struct CountingWeights final : EvaluationWeights {
    int k;
    SegmentTable value, order;  // for scores of positions, and for ordering moves
    int tempo;                  // bonus of the side to move

    CountingWeights(int k, SegmentTable value, SegmentTable order, int tempo)
        : k(k), value(std::move(value)), order(std::move(order)), tempo(tempo) {}
    std::unique_ptr<Evaluation> make(const Geometry& geometry, int p) const override;
};

class CountingEvaluation final : public Evaluation {
public:
    CountingEvaluation(const Geometry& geometry, const CountingWeights& weights)
        : geometry_(geometry), weights_(weights), codes_(std::size_t(geometry.segments)), gains_(weights.order.by_code.size()) {
        if (weights.k != geometry.k) throw std::invalid_argument("the weights are for another row length");
        const int counts = geometry.k + 1;
        for (int code = 0; code < counts * counts; ++code) {
            if (code % counts + code / counts >= geometry.k) continue;  // full: no stone will come
            for (int side : {black, white})
                gains_[std::size_t(code)][std::size_t(side)] = -gain(code, side, 1 - side) - gain(code, 1 - side, side);
        }
    }

    void place(Square s, int colour) override { change(s, delta(colour)); }
    void remove(Square s, int colour) override { change(s, -delta(colour)); }
    int value(int turn) const override { return value_[std::size_t(turn)] + weights_.tempo; }
    int order_value(int turn) const override { return order_value_[std::size_t(turn)]; }

    // A stone is worth what it builds, and what it keeps the other side from building.
    void score_squares(int side, int, std::vector<ScoredSquare>& squares) const override {
        for (ScoredSquare& scored : squares) {
            scored.score = 0;
            geometry_.each_through(scored.square, [&](SegmentId id) { scored.score += gains_[codes_[id]][std::size_t(side)]; });
        }
    }

private:
    int delta(int colour) const { return colour == black ? 1 : geometry_.k + 1; }

    // Change of the ordering score by a stone on a segment with that code, with `turn` to move.
    int gain(int code, int colour, int turn) const { return weights_.order.gain(code, code + delta(colour), turn); }

    void change(Square s, int step) {
        geometry_.each_through(s, [&](SegmentId id) {
            const int before = codes_[id], after = before + step;
            codes_[id] = std::uint16_t(after);
            for (int turn : {black, white}) {
                value_[std::size_t(turn)] += weights_.value.gain(before, after, turn);
                order_value_[std::size_t(turn)] += weights_.order.gain(before, after, turn);
            }
        });
    }

    const Geometry& geometry_;
    const CountingWeights& weights_;
    std::vector<std::uint16_t> codes_;
    std::vector<std::array<int, 2>> gains_;  // by segment code: value of a stone on such a segment for each side
    std::array<int, 2> value_{}, order_value_{};
};

inline std::unique_ptr<Evaluation> CountingWeights::make(const Geometry& geometry, int) const {
    return std::make_unique<CountingEvaluation>(geometry, *this);
}

}  // namespace tengen
