package io.asynq.benchmarks.peer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeapLogTests {

	private final HeapLog log = new HeapLog();

	@Test
	void reportsMaximumOfFirstThirdLastThirdAndAll() {
		collected(10, 30, 20, 99, 40, 50, 70, 60, 65);
		assertThat(this.log.stop()).isEqualTo("heap_first_bytes=30 heap_last_bytes=70 heap_max_bytes=99");
	}

	@Test
	void thirdIsRoundedUp() {
		collected(1, 5, 9, 3);
		assertThat(this.log.stop()).isEqualTo("heap_first_bytes=5 heap_last_bytes=9 heap_max_bytes=9");
	}

	@Test
	void singleCollectionCountsForBothThirds() {
		collected(42);
		assertThat(this.log.stop()).isEqualTo("heap_first_bytes=42 heap_last_bytes=42 heap_max_bytes=42");
	}

	@Test
	void reportsZeroWithoutCollections() {
		this.log.start();
		assertThat(this.log.stop()).isEqualTo("heap_first_bytes=0 heap_last_bytes=0 heap_max_bytes=0");
	}

	private void collected(long... bytes) {
		for (long used : bytes) {
			this.log.collected(used);
		}
	}

}
