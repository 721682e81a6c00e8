package io.asynq.internal.schedule;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * When the histories of removed entries may be deleted.
 */
class RemovedEntriesTests {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);

	private final RemovedEntries removed = new RemovedEntries(this.nanos::get);

	@Test
	void eachEntryHasItsDeadline() {
		this.removed.add("first", "low");
		advance(999);
		assertThat(this.removed.takeDue()).isEmpty();
		this.removed.add("second", "default");
		advance(1);
		assertThat(this.removed.takeDue()).containsExactly(entry("first", "low"));
		assertThat(this.removed.isEmpty()).isFalse();
		advance(999);
		assertThat(this.removed.takeDue()).containsExactly(entry("second", "default"));
		assertThat(this.removed.isEmpty()).isTrue();
	}

	@Test
	void entryRemovedAgainGetsNewDeadline() {
		this.removed.add("a", "low");
		advance(600);
		this.removed.add("a", "low");
		advance(600);
		assertThat(this.removed.takeDue()).isEmpty();
		advance(400);
		assertThat(this.removed.takeDue()).containsOnlyKeys("a");
	}

	@Test
	void stopTakesAllEntries() {
		this.removed.add("a", "low");
		this.removed.add("b", "low");
		assertThat(this.removed.takeAll()).containsOnlyKeys("a", "b");
		assertThat(this.removed.isEmpty()).isTrue();
	}

	private void advance(long millis) {
		this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
