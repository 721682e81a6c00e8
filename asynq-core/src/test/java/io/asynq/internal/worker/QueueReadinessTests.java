package io.asynq.internal.worker;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueReadinessTests {

	private final QueueReadiness readiness = new QueueReadiness(List.of("a", "b"));

	@BeforeEach
	void findNothing() {
		for (String queue : List.of("a", "b")) {
			this.readiness.clear(queue);
			this.readiness.exhausted(queue);
		}
	}

	@Test
	void queueIsNotWatchedWhileBeingFetched() {
		this.readiness.clear("a");
		assertThat(takeUnwatched()).containsExactly("b");
		this.readiness.exhausted("a");
		assertThat(takeUnwatched()).containsExactly("a");
	}

	@Test
	void arrivalDuringFetchIsKept() {
		this.readiness.clear("a");
		this.readiness.mark("a");
		this.readiness.exhausted("a");
		assertThat(this.readiness.marked()).containsExactly("a");
	}

	@Test
	void everyQueueIsMarkedInitially() {
		assertThat(new QueueReadiness(List.of("a", "b")).marked()).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void repeatedMarkIsNoChange() {
		assertThat(this.readiness.mark("a")).isTrue();
		assertThat(this.readiness.mark("a")).isFalse();
		assertThat(this.readiness.marked()).containsExactly("a");
		assertThat(this.readiness.any()).isTrue();
	}

	@Test
	void unknownQueueIsIgnored() {
		assertThat(this.readiness.mark("c")).isFalse();
		assertThat(this.readiness.any()).isFalse();
	}

	@Test
	void emptyQueueIsWatchedOnce() {
		assertThat(this.readiness.unwatched()).containsExactlyInAnyOrder("a", "b");
		assertThat(takeUnwatched()).containsExactlyInAnyOrder("a", "b");
		assertThat(this.readiness.unwatched()).isEmpty();
		assertThat(takeUnwatched()).isEmpty();
	}

	@Test
	void arrivalEndsWatch() {
		takeUnwatched();
		assertThat(this.readiness.mark("a")).isTrue();
		this.readiness.clear("a");
		this.readiness.exhausted("a");
		assertThat(takeUnwatched()).containsExactly("a");
	}

	@Test
	void allUnmarkedQueuesCanBeWatchedAgain() {
		takeUnwatched();
		this.readiness.mark("a");
		this.readiness.unwatchIf((queue) -> true);
		assertThat(takeUnwatched()).containsExactly("b");
		assertThat(this.readiness.marked()).containsExactly("a");
	}

	@Test
	void onlyQueuesOfConditionAreMarkedOrWatchedAgain() {
		takeUnwatched();
		this.readiness.unwatchIf("a"::equals);
		this.readiness.markIf("b"::equals);
		assertThat(this.readiness.unwatched()).containsExactly("a");
		assertThat(this.readiness.marked()).containsExactly("b");
	}

	private List<String> takeUnwatched() {
		return this.readiness.unwatched().stream().filter(this.readiness::takeUnwatched).toList();
	}

}
