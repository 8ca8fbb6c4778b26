// What a position is worth, as a sum over all segments of k squares: each has a weight by how many stones of each side stand on
// it. Kept up to date stone by stone.
#pragma once

#include <array>

#include "board.hpp"
#include "evaluation.hpp"

namespace tengen {

// What segments are worth, by how many stones of each side stand on them; in units of nothing in particular: what counts is how they
// compare.
struct SegmentTable {
    std::vector<std::array<int, 2>> by_code;  // of black + white * (k + 1) stones, with Black and with White to move

    // `own` and `other`: what a segment is worth to the side to move that only he, or only the other, has stones on.
    SegmentTable(int k, const std::vector<int>& own, const std::vector<int>& other) : by_code(std::size_t(k + 1) * std::size_t(k + 1)) {
        if (own.size() != std::size_t(k + 1) || other.size() != own.size()) throw std::invalid_argument("there must be a weight for each count");
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

struct CountingWeights {
    int k;
    SegmentTable value, order;  // for the worth of positions, and for the order of moves
    int tempo;                  // what it is worth to be to move
};

class CountingEvaluation final : public Evaluation {
public:
    CountingEvaluation(const Geometry& geometry, const CountingWeights& weights)
        : geometry_(geometry), weights_(weights), codes_(std::size_t(geometry.segments)), interest_(weights.order.by_code.size()) {
        if (weights.k != geometry.k) throw std::invalid_argument("the weights are for rows of another length");
        const int counts = geometry.k + 1;
        for (int code = 0; code < counts * counts; ++code) {
            if (code % counts + code / counts >= geometry.k) continue;  // full: no stone will come
            for (int side : {black, white})
                interest_[std::size_t(code)][std::size_t(side)] = -gain(code, side, 1 - side) - gain(code, 1 - side, side);
        }
    }

    void place(Square s, int colour) override { change(s, delta(colour)); }
    void remove(Square s, int colour) override { change(s, -delta(colour)); }
    int value(int turn) const override { return value_[std::size_t(turn)] + weights_.tempo; }
    int promise(int turn) const override { return promise_[std::size_t(turn)]; }

    // What a stone builds, and what it keeps the other side from building.
    int interest(Square s, int side) const override {
        int total = 0;
        geometry_.each_through(s, [&](SegmentId id) { total += interest_[codes_[id]][std::size_t(side)]; });
        return total;
    }

private:
    int delta(int colour) const { return colour == black ? 1 : geometry_.k + 1; }

    // What a stone on a segment with that code would change of the promise, with `turn` to move.
    int gain(int code, int colour, int turn) const { return weights_.order.gain(code, code + delta(colour), turn); }

    void change(Square s, int step) {
        geometry_.each_through(s, [&](SegmentId id) {
            const int before = codes_[id], after = before + step;
            codes_[id] = std::uint16_t(after);
            for (int turn : {black, white}) {
                value_[std::size_t(turn)] += weights_.value.gain(before, after, turn);
                promise_[std::size_t(turn)] += weights_.order.gain(before, after, turn);
            }
        });
    }

    const Geometry& geometry_;
    const CountingWeights& weights_;
    std::vector<std::uint16_t> codes_;
    std::vector<std::array<int, 2>> interest_;  // of a square on a segment with that code, to each side
    std::array<int, 2> value_{}, promise_{};
};

}  // namespace tengen
