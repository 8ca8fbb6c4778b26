// The inner loops of the network, compiled for several instruction sets; kernels() chooses at run time. All of them compute the same integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tengen {

namespace network_shape {
inline constexpr int channels = 32;
inline constexpr int activation_max = 127, activation_bits = 6;
}  // namespace network_shape

// A change of one of the four patterns of a square: features of the old one leave its sum, those of the new one enter.
struct PatternChange {
    std::int16_t* sums;         // over the four patterns
    std::int16_t* activations;  // the sums, clipped
    const std::int8_t* before;
    const std::int8_t* after;
};

// The layers that are computed for each square.
struct SquareLayers {
    std::int16_t neighbours[3][network_shape::channels];  // weights of the square, its orthogonal and its diagonal neighbours
    std::int16_t neighbour_bias[network_shape::channels];
    // [pair of input channels][output channel][channel of the pair]
    std::int16_t channel_weights[network_shape::channels / 2][network_shape::channels][2];
    std::int32_t channel_bias[network_shape::channels];
};

// Activations of a board with a border of zeros.
struct ActivationPlane {
    const std::int16_t* data;
    std::ptrdiff_t row_stride;  // squares from one row to the next
};

struct NetworkKernels {
    void (*apply)(const PatternChange* changes, std::size_t count);
    // Adds up the topmost features over squares, which are given by their places in the plane.
    void (*sum_features)(const SquareLayers& layers, ActivationPlane plane, const std::uint32_t* squares, std::size_t count, std::int32_t* sums);
    // Computes the product of weights and the topmost features for each square.
    void (*weigh_features)(const SquareLayers& layers, ActivationPlane plane, const std::uint32_t* squares, std::size_t count,
                           const std::int16_t* weights, std::int32_t* products);
};

const NetworkKernels& network_kernels();
const NetworkKernels& portable_network_kernels();

}  // namespace tengen
