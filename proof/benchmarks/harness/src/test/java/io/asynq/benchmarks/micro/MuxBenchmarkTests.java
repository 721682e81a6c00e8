package io.asynq.benchmarks.micro;

import io.asynq.handler.HandlerNotFoundException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MuxBenchmarkTests {

	private final MuxBenchmark benchmark = new MuxBenchmark();

	@Test
	void measuresHandlersOfTheLongerPattern() throws Exception {
		assertThat(this.benchmark.exactPattern()).containsExactly(2);
		assertThat(this.benchmark.longestPrefix()).containsExactly(2);
		assertThat(this.benchmark.moreTypesThanItRemembers()).containsExactly(2);
	}

	@Test
	void measuresUnknownType() throws Exception {
		assertThat(this.benchmark.unknownType()).isInstanceOf(HandlerNotFoundException.class);
	}

}
