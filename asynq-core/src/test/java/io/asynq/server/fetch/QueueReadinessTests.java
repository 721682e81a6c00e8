package io.asynq.server.fetch;

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
		assertThat(this.readiness.takeUnwatched()).containsExactly("b");
		this.readiness.exhausted("a");
		assertThat(this.readiness.takeUnwatched()).containsExactly("a");
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
		assertThat(this.readiness.anyUnwatched()).isTrue();
		assertThat(this.readiness.takeUnwatched()).containsExactlyInAnyOrder("a", "b");
		assertThat(this.readiness.anyUnwatched()).isFalse();
		assertThat(this.readiness.takeUnwatched()).isEmpty();
	}

	@Test
	void arrivalEndsWatch() {
		this.readiness.takeUnwatched();
		assertThat(this.readiness.mark("a")).isTrue();
		this.readiness.clear("a");
		this.readiness.exhausted("a");
		assertThat(this.readiness.takeUnwatched()).containsExactly("a");
	}

	@Test
	void allUnmarkedQueuesCanBeWatchedAgain() {
		this.readiness.takeUnwatched();
		this.readiness.mark("a");
		this.readiness.unwatchAll();
		assertThat(this.readiness.takeUnwatched()).containsExactly("b");
		assertThat(this.readiness.marked()).containsExactly("a");
	}

}
