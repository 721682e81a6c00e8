package io.asynq.sample;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTests {

	@Test
	void formatsAsOneLine() {
		assertThat(new Progress(200, new QueueCounts(457, 20, 163), 11))
			.hasToString("placed 200, processed 457, failed 20, retried 11, pending 163");
	}

}
