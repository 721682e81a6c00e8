package io.asynq.internal.worker;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FetchPaceTests {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 500);

	private final FetchPace pace = new FetchPace(this.nanos::get);

	@Test
	void firstFetchMayCallEveryQueue() {
		assertThat(this.pace.begin()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void immediateNextFetchIsOneCall() {
		fetch(3, 300);
		this.nanos.addAndGet(799);
		assertThat(this.pace.begin()).isEqualTo(1);
	}

	@Test
	void callsMayTakeEighthOfHandlerTime() {
		fetch(3, 300);
		this.nanos.addAndGet(2400);
		assertThat(this.pace.begin()).isEqualTo(4);
	}

	@Test
	void fetchWithoutCallsIsIgnored() {
		fetch(1, 100);
		this.nanos.addAndGet(800);
		fetch(0, 0);
		assertThat(this.pace.begin()).isEqualTo(2);
	}

	private void fetch(int calls, long took) {
		this.pace.begin();
		this.nanos.addAndGet(took);
		this.pace.end(calls);
	}

}
