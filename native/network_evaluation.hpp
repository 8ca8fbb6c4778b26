// The network on a position: pattern features are updated stone by stone, the layers above them are computed when they are asked for.
#pragma once

#include "evaluation.hpp"
#include "network.hpp"

namespace tengen {

class NetworkEvaluation final : public Evaluation {
public:
    // Engine scores per unit of log-odds.
    static constexpr int score_unit = 400;

    NetworkEvaluation(const Geometry& geometry, const Network& network, const NetworkKernels& kernels = network_kernels())
        : geometry_(geometry),
          network_(network),
          kernels_(kernels),
          stride_(geometry.width + 2),
          lines_(std::size_t(geometry.squares)),
          activity_(std::size_t(geometry.squares)) {
        if (network.k() != geometry.k) throw std::invalid_argument("the network is for rows of another length");
        for (Perspective& perspective : perspectives_) {
            perspective.patterns.resize(std::size_t(geometry.squares) * directions);
            perspective.sums.resize(std::size_t(geometry.squares));
            perspective.activations.resize(std::size_t(stride_) * std::size_t(geometry.height + 2));
        }
        const int reach = network.reach();
        for (Square s = 0; s < geometry.squares; ++s)
            for (std::size_t d = 0; d < directions; ++d) {
                int off[2];
                for (int sign : {-1, 1}) {
                    int on = 0;
                    while (on < reach && is_inside(s, int(d), sign * (on + 1))) ++on;
                    off[sign > 0] = reach - on;
                }
                lines_[s][d] = {std::int8_t(reach - off[0]), std::int8_t(reach - off[1])};
                for (Perspective& perspective : perspectives_) perspective.patterns[s * directions + d] = network.first_pattern(off[0], off[1]);
            }
        const std::array<std::int8_t, Network::channels> nothing{};
        for (Perspective& perspective : perspectives_)
            for (Square s = 0; s < geometry.squares; ++s)
                for (std::size_t d = 0; d < directions; ++d) {
                    const PatternChange change{perspective.sums[s].data(), perspective.activations[bordered(s)].data(), nothing.data(),
                                               network.features(perspective.patterns[s * directions + d])};
                    kernels_.apply(&change, 1);
                }
    }

    void place(Square s, int colour) override { change(s, colour, 1); }
    void remove(Square s, int colour) override { change(s, colour, -1); }

    int value(int turn) const override {
        const auto logits = value_logits(turn, network_.p());
        return int(std::int64_t(logits[0] - logits[2]) * score_unit / (1 << Network::head_bits));
    }

    // Logits of win, draw and loss of the side to move, in units of 1/1024.
    std::array<std::int32_t, Network::outcomes> value_logits(int turn, int stones_left) const {
        squares_.clear();
        for (Square s = 0; s < geometry_.squares; ++s)
            if (activity_[s] > 0) squares_.push_back(bordered(s));
        std::array<std::int32_t, Network::channels> sums;
        kernels_.sum_features(network_.layers(), plane(turn), squares_.data(), squares_.size(), sums.data());
        return network_.value_logits(sums, stones_left);
    }

    bool has_policy() const override { return true; }

    // Squares out of line with every stone are outside the policy; they come last.
    void score_squares(int side, int stones_left, std::vector<ScoredSquare>& squares) const override {
        squares_.clear();
        for (const ScoredSquare& scored : squares) squares_.push_back(bordered(scored.square));
        logits_.resize(squares.size());
        kernels_.weigh_features(network_.layers(), plane(side), squares_.data(), squares_.size(), network_.policy_weights(stones_left), logits_.data());
        for (std::size_t i = 0; i < squares.size(); ++i) squares[i].score = activity_[squares[i].square] > 0 ? logits_[i] : inactive_logit;
    }

private:
    static constexpr std::size_t directions = Geometry::directions;
    static constexpr int inactive_logit = -20 * 65536;
    using Layer = Network::Features;

    // How many squares of a line lie on the board before and after a square, at most the reach.
    struct Extent {
        std::int8_t before, after;
    };

    // The position as one side sees it: its own stones and the other's.
    struct Perspective {
        std::vector<std::uint32_t> patterns;  // [square][direction]
        std::vector<Layer> sums;              // of the features of the four patterns
        std::vector<Layer> activations;       // the same, clipped, with a border of zeros around the board
    };

    int step(int direction) const {
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        return dx[direction] + dy[direction] * geometry_.width;
    }

    bool is_inside(Square s, int direction, int distance) const {
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        const int x = s % geometry_.width + distance * dx[direction], y = s / geometry_.width + distance * dy[direction];
        return x >= 0 && x < geometry_.width && y >= 0 && y < geometry_.height;
    }

    std::uint32_t bordered(Square s) const { return std::uint32_t((s / geometry_.width + 1) * stride_ + s % geometry_.width + 1); }

    ActivationPlane plane(int side) const { return {perspectives_[std::size_t(side)].activations.front().data(), stride_}; }

    // Puts a stone on the board (sign 1) or takes it off (-1).
    void change(Square s, int colour, int sign) {
        static constexpr int powers[] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049};
        std::array<PatternChange, 2 * directions * (2 * Network::max_reach + 1)> changes;
        std::size_t count = 0;
        activity_[s] = std::uint8_t(activity_[s] + sign);
        for (std::size_t d = 0; d < directions; ++d) {
            const Extent line = lines_[s][d];
            const int to_next = step(int(d));
            for (int distance = -line.before; distance <= line.after; ++distance) {
                const auto other = Square(s + distance * to_next);
                // In the other square's pattern this one stands `distance` cells before the centre.
                const int power = sign * powers[lines_[other][d].before - distance];
                if (distance != 0) activity_[other] = std::uint8_t(activity_[other] + sign);
                for (int side : {black, white}) {
                    Perspective& perspective = perspectives_[std::size_t(side)];
                    std::uint32_t& pattern = perspective.patterns[other * directions + d];
                    const std::uint32_t before = pattern;
                    pattern = std::uint32_t(std::int64_t(before) + (colour == side ? power : 2 * power));
                    changes[count++] = {perspective.sums[other].data(), perspective.activations[bordered(other)].data(), network_.features(before),
                                        network_.features(pattern)};
                }
            }
        }
        kernels_.apply(changes.data(), count);
    }

    const Geometry& geometry_;
    const Network& network_;
    const NetworkKernels& kernels_;
    int stride_;  // squares of a row, with the border
    std::array<Perspective, 2> perspectives_;
    std::vector<std::array<Extent, directions>> lines_;
    std::vector<std::uint8_t> activity_;  // number of stones in line with each square and within reach
    mutable std::vector<std::uint32_t> squares_;  // buffers of the functions above
    mutable std::vector<std::int32_t> logits_;
};

inline std::unique_ptr<Evaluation> Network::make(const Geometry& geometry, int p) const {
    if (p != p_) throw std::invalid_argument("the network is for moves of another number of stones");
    return std::make_unique<NetworkEvaluation>(geometry, *this);
}

}  // namespace tengen
