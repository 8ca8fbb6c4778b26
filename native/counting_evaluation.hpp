// What a position is worth, as a sum over all segments of k squares: each has a weight by how many stones of each side stand on
// it. Kept up to date stone by stone.
#pragma once

#include <array>

#include "board.hpp"
#include "evaluation.hpp"

namespace tengen {

// The weights, in thousandths of nothing in particular: what counts is how they compare.
struct CountingWeights {
    int k;
    int tempo;                                // what it is worth to be to move
    std::vector<std::array<int, 2>> by_code;  // of black + white * (k + 1) stones, with Black and with White to move

    // `own` and `other`: what a segment is worth to the side to move that only he, or only the other, has stones on.
    CountingWeights(int k, const std::vector<int>& own, const std::vector<int>& other, int tempo)
        : k(k), tempo(tempo), by_code(std::size_t(k + 1) * std::size_t(k + 1)) {
        if (own.size() != std::size_t(k + 1) || other.size() != own.size()) throw std::invalid_argument("there must be a weight for each count");
        for (int stones = 1; stones <= k; ++stones) {
            const auto at = std::size_t(stones);
            by_code[at] = {own[at], -other[at]};
            by_code[at * std::size_t(k + 1)] = {-other[at], own[at]};
        }
    }
};

class CountingEvaluation final : public Evaluation {
public:
    CountingEvaluation(const Geometry& geometry, const CountingWeights& weights)
        : geometry_(geometry), weights_(weights), codes_(std::size_t(geometry.segments)) {
        if (weights.k != geometry.k) throw std::invalid_argument("the weights are for rows of another length");
    }

    void place(Square s, int colour) override { change(s, delta(colour)); }
    void remove(Square s, int colour) override { change(s, -delta(colour)); }
    int value(int turn) const override { return sum_[std::size_t(turn)] + weights_.tempo; }

    // What a stone builds, and what it keeps the other side from building.
    int interest(Square s, int side) const override { return -gain(s, side, 1 - side) - gain(s, 1 - side, side); }

private:
    int delta(int colour) const { return colour == black ? 1 : geometry_.k + 1; }

    template <class Visit>
    void each_through(Square s, Visit visit) const {
        for (auto i = geometry_.first_through[s], end = geometry_.first_through[s + 1u]; i < end; ++i) visit(geometry_.through[i].segment);
    }

    // What a stone would change of the value, with `turn` to move.
    int gain(Square s, int colour, int turn) const {
        int total = 0;
        const int step = delta(colour);
        each_through(s, [&](SegmentId id) {
            const int code = codes_[id];
            total += weights_.by_code[std::size_t(code + step)][std::size_t(turn)] - weights_.by_code[std::size_t(code)][std::size_t(turn)];
        });
        return total;
    }

    void change(Square s, int step) {
        each_through(s, [&](SegmentId id) {
            std::uint16_t& code = codes_[id];
            const auto before = weights_.by_code[code];
            code = std::uint16_t(code + step);
            const auto after = weights_.by_code[code];
            for (std::size_t turn : {0u, 1u}) sum_[turn] += after[turn] - before[turn];
        });
    }

    const Geometry& geometry_;
    const CountingWeights& weights_;
    std::vector<std::uint16_t> codes_;
    std::array<int, 2> sum_{};
};

}  // namespace tengen
