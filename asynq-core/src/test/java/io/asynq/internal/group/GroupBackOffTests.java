package io.asynq.internal.group;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GroupBackOffTests {

	private static final GroupName GROUP = new GroupName("default", "g");

	private final AtomicLong now = new AtomicLong();

	private final GroupBackOff backOff = new GroupBackOff(this.now::get);

	@Test
	void permitsGroupWithoutFailure() {
		assertThat(this.backOff.allows(GROUP)).isTrue();
		assertThat(this.backOff.untilNext()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void pausesOnlyFailedGroup() {
		assertThat(this.backOff.failed(GROUP)).isEqualTo(Duration.ofSeconds(5));
		assertThat(this.backOff.allows(GROUP)).isFalse();
		assertThat(this.backOff.allows(new GroupName("low", "g"))).isTrue();
		assertThat(this.backOff.untilNext()).isEqualTo(Duration.ofSeconds(5));
		advance(Duration.ofSeconds(5));
		assertThat(this.backOff.allows(GROUP)).isTrue();
	}

	@Test
	void backsOffUpToFiveMinutes() {
		for (int seconds : new int[] { 5, 10, 20, 40, 80, 160, 300, 300 }) {
			assertThat(this.backOff.failed(GROUP)).isEqualTo(Duration.ofSeconds(seconds));
		}
	}

	@Test
	void pausesEndingCloseTogetherAreMerged() {
		for (int i = 0; i < 100; i++) {
			this.backOff.failed(new GroupName("default", "g" + i));
			advance(Duration.ofMillis(10));
		}
		advance(Duration.ofMillis(3995));
		assertThat(this.backOff.allows(new GroupName("default", "g0"))).isFalse();
		assertThat(this.backOff.untilNext()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void firstFailureIsNewUntilGroupSucceeds() {
		assertThat(this.backOff.isNew(GROUP)).isFalse();
		this.backOff.failed(GROUP);
		this.backOff.failed(GROUP);
		assertThat(this.backOff.isNew(GROUP)).as("nobody was told so far").isTrue();
		this.backOff.failed(GROUP);
		assertThat(this.backOff.isNew(GROUP)).isFalse();
		this.backOff.succeeded(GROUP);
		this.backOff.failed(GROUP);
		assertThat(this.backOff.isNew(GROUP)).isTrue();
	}

	@Test
	void resetsAfterSuccess() {
		this.backOff.failed(GROUP);
		this.backOff.failed(GROUP);
		this.backOff.succeeded(GROUP);
		assertThat(this.backOff.allows(GROUP)).isTrue();
		assertThat(this.backOff.failed(GROUP)).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void forgetsAbandonedGroups() {
		this.backOff.failed(GROUP);
		this.backOff.failed(GROUP);
		advance(Duration.ofMinutes(11));
		this.backOff.untilNext();
		assertThat(this.backOff.failed(GROUP)).isEqualTo(Duration.ofSeconds(5));
	}

	private void advance(Duration by) {
		this.now.addAndGet(by.toNanos());
	}

}
