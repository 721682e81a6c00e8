package io.asynq.internal.redis;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CodecBenchmarkTests {

	private final CodecBenchmark benchmark = new CodecBenchmark();

	@ParameterizedTest
	@ValueSource(ints = { 150, 4096 })
	void messageHasNamedSize(int bytes) throws Exception {
		this.benchmark.bytes = bytes;
		this.benchmark.build();
		assertThat(this.benchmark.encode()).hasSize(bytes).isEqualTo(TaskMessageCodec.encode(this.benchmark.decode()));
	}

}
