// The weights of the evaluation network, and the arithmetic on one square. docs/network.md describes the layers and the file format.
//
// Everything is integer arithmetic, so the same position has the same value on every machine. Activations are in units of 1/64.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "network_kernels.hpp"

namespace tengen {

class Network final : public EvaluationWeights {
public:
    static constexpr int channels = network_shape::channels;
    static constexpr int first_hidden = 32, second_hidden = 16, outcomes = 3;  // of the value head
    static constexpr int max_reach = 5;
    static constexpr int activation_max = network_shape::activation_max;
    static constexpr int head_bits = 10;  // value head: weights and activations in units of 1/1024

    using Features = std::array<std::int16_t, channels>;

    // Throws std::invalid_argument unless `data` holds exactly the weights of a network for rows of k and moves of p stones.
    Network(int k, int p, std::span<const std::uint8_t> data) : k_(k), p_(p), reach_(k - 1) {
        if (k < 2 || reach_ > max_reach || p < 1) throw std::invalid_argument("networks exist for k from 2 to 6");
        const std::vector<std::uint32_t> mirror = number_patterns();
        std::size_t at = 0;
        const auto take = [&](auto& field) {
            if (at + sizeof(field) > data.size()) throw std::invalid_argument("the network's weights are incomplete");
            std::memcpy(&field, data.data() + at, sizeof(field));
            at += sizeof(field);
        };
        table_.resize(patterns_ * channels);
        std::size_t distinct = 0;
        for (std::size_t pattern = 0; pattern < patterns_; ++pattern) distinct += mirror[pattern] >= pattern;
        if (distinct * channels > data.size()) throw std::invalid_argument("the network's pattern table is incomplete");
        for (std::size_t pattern = 0, row = 0; pattern < patterns_; ++pattern) {
            const bool is_distinct = mirror[pattern] >= pattern;
            for (std::size_t c = 0; c < channels; ++c)  // stored channel by channel, which compresses better
                table_[pattern * channels + c] = is_distinct ? std::int8_t(data[c * distinct + row]) : table_[mirror[pattern] * channels + c];
            row += is_distinct;
        }
        at = distinct * channels;
        std::array<std::int16_t, channels * channels> channel_weights;  // [output][input]
        take(layers_.neighbours);
        take(layers_.neighbour_bias);
        take(channel_weights);
        take(layers_.channel_bias);
        take(policy_);
        take(value1_);
        take(value1_bias_);
        take(value2_);
        take(value2_bias_);
        take(value3_);
        take(value3_bias_);
        if (at != data.size()) throw std::invalid_argument("the network's weights are followed by other data");
        for (std::size_t in = 0; in < channels; ++in)
            for (std::size_t out = 0; out < channels; ++out) layers_.channel_weights[in / 2][out][in % 2] = channel_weights[out * channels + in];
        check_ranges(channel_weights);
    }

    std::unique_ptr<Evaluation> make(const Geometry& geometry, int p) const override;

    int k() const { return k_; }
    int p() const { return p_; }
    int reach() const { return reach_; }
    const SquareLayers& layers() const { return layers_; }
    const std::int8_t* features(std::uint32_t pattern) const { return &table_[std::size_t(pattern) * channels]; }
    // Number of the pattern without stones that has `off_left` and `off_right` cells off the board.
    std::uint32_t first_pattern(int off_left, int off_right) const { return first_pattern_[std::size_t(off_left)][std::size_t(off_right)]; }

    // Logits of a win, a draw and a loss of the side to move, in units of 1/1024, from the sums of the features of all active squares.
    // Features are in units of 1/64, and the head divides their sums by 16: the input is in units of 1/1024 as it is.
    std::array<std::int32_t, outcomes> value_logits(const std::array<std::int32_t, channels>& sums, int stones_left) const {
        std::array<std::int32_t, first_hidden> first;
        std::array<std::int32_t, second_hidden> second;
        std::array<std::int32_t, outcomes> out;
        multiply(value1_, sums, value1_bias_[head(stones_left)], first);
        rectify(first);
        multiply(value2_, first, value2_bias_, second);
        rectify(second);
        multiply(value3_, second, value3_bias_, out);
        return out;
    }

    // Weights of the policy's logits, which come out in units of 1/65536.
    const std::int16_t* policy_weights(int stones_left) const { return policy_[head(stones_left)].data(); }

private:
    // There is one set of weights for the last stone of a turn and one for all others.
    static std::size_t head(int stones_left) { return stones_left > 1; }

    template <std::size_t Outputs, std::size_t Inputs>
    static void multiply(const std::array<std::int16_t, Outputs * Inputs>& weights, const std::array<std::int32_t, Inputs>& in,
                         const std::array<std::int32_t, Outputs>& bias, std::array<std::int32_t, Outputs>& out) {
        for (std::size_t o = 0; o < Outputs; ++o) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < Inputs; ++i) sum += std::int64_t(weights[o * Inputs + i]) * in[i];
            // A damaged or absurd file must not overflow what follows.
            out[o] = std::int32_t(std::clamp<std::int64_t>((sum >> head_bits) + bias[o], -largest, largest));
        }
    }

    template <std::size_t Size>
    static void rectify(std::array<std::int32_t, Size>& values) {
        for (std::int32_t& value : values) value = std::max(value, 0);
    }

    // Numbers the patterns by the cells off the board, then by the base-3 number of the others; returns the mirror image of each.
    std::vector<std::uint32_t> number_patterns() {
        const int length = 2 * reach_ + 1;
        std::uint32_t total = 0;
        for (int left = 0; left <= reach_; ++left)
            for (int right = 0; right <= reach_; ++right) {
                first_pattern_[std::size_t(left)][std::size_t(right)] = total;
                total += power_of_3(length - left - right);
            }
        patterns_ = total;
        std::vector<std::uint32_t> mirror(patterns_);
        for (int left = 0; left <= reach_; ++left)
            for (int right = 0; right <= reach_; ++right) {
                const int inner = length - left - right;
                for (std::uint32_t number = 0; number < power_of_3(inner); ++number) {
                    std::uint32_t reversed = 0, rest = number;
                    for (int i = 0; i < inner; ++i, rest /= 3) reversed = reversed * 3 + rest % 3;
                    mirror[first_pattern(left, right) + number] = first_pattern(right, left) + reversed;
                }
            }
        return mirror;
    }

    static std::uint32_t power_of_3(int exponent) {
        std::uint32_t power = 1;
        while (exponent-- > 0) power *= 3;
        return power;
    }

    // Larger weights could overflow the sums of the kernels.
    void check_ranges(std::span<const std::int16_t> channel_weights) const {
        const auto is_large = [](int weight) { return std::abs(weight) > INT16_MAX / 4; };
        const auto& [centre, edge, corner] = layers_.neighbours;
        for (std::size_t c = 0; c < channels; ++c) {
            const int taps = std::abs(centre[c]) + 4 * std::abs(edge[c]) + 4 * std::abs(corner[c]);
            if (taps * activation_max + std::abs(layers_.neighbour_bias[c]) > INT16_MAX)
                throw std::invalid_argument("the network's neighbour weights are too large");
            if (layers_.channel_bias[c] > largest || layers_.channel_bias[c] < -largest)
                throw std::invalid_argument("the network's channel bias is too large");
            if (is_large(policy_[0][c]) || is_large(policy_[1][c])) throw std::invalid_argument("the network's policy weights are too large");
        }
        if (std::any_of(channel_weights.begin(), channel_weights.end(), is_large))
            throw std::invalid_argument("the network's channel weights are too large");
    }

    static constexpr std::int32_t largest = 1 << 29;

    int k_, p_, reach_;
    std::size_t patterns_ = 0;
    std::array<std::array<std::uint32_t, max_reach + 1>, max_reach + 1> first_pattern_{};
    std::vector<std::int8_t> table_;
    SquareLayers layers_{};  // neighbour and channel weights in units of 1/64, biases in units of 1/4096
    // The heads, in units of 1/1024; those with two parts are for the last stone of a turn, and for all others.
    std::array<std::array<std::int16_t, channels>, 2> policy_{};
    std::array<std::int16_t, first_hidden * channels> value1_{};
    std::array<std::array<std::int32_t, first_hidden>, 2> value1_bias_{};
    std::array<std::int16_t, second_hidden * first_hidden> value2_{};
    std::array<std::int32_t, second_hidden> value2_bias_{};
    std::array<std::int16_t, outcomes * second_hidden> value3_{};
    std::array<std::int32_t, outcomes> value3_bias_{};
};

}  // namespace tengen
