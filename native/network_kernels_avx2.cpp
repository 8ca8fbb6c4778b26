// The network's inner loops for processors with AVX2.
#include "network_kernels.hpp"

#include <immintrin.h>

#define TENGEN_USE_AVX2 1

namespace tengen {

namespace avx2_kernels {
#include "network_kernels.inc"
}  // namespace avx2_kernels

const NetworkKernels& avx2_network_kernels() {
    static constexpr NetworkKernels kernels{avx2_kernels::apply, avx2_kernels::sum_features, avx2_kernels::weigh_features};
    return kernels;
}

}  // namespace tengen
