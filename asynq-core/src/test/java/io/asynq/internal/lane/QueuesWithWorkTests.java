package io.asynq.internal.lane;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.WorkFinder.Found;
import io.asynq.internal.lane.WorkFinder.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QueuesWithWorkTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private final List<Collection<String>> looks = new ArrayList<>();

	private final List<String> visited = new CopyOnWriteArrayList<>();

	private final List<String> idle = new ArrayList<>();

	private final Set<String> unreachable = ConcurrentHashMap.newKeySet();

	private TestLanes lanes = TestLanes.single();

	private @Nullable RuntimeException error;

	@AfterEach
	void end() {
		this.lanes.close();
	}

	@Test
	void oneLookTellsWhichQueuesAreVisited() {
		round(QUEUES, Map.of("a", NOW, "c", NOW.plusSeconds(1)));
		assertThat(this.looks).containsExactly(QUEUES);
		assertThat(this.visited).containsExactly("a");
		assertThat(this.idle).containsExactly("b", "c");
	}

	@Test
	void singleQueueIsVisitedAtOnce() {
		round(List.of("a"), Map.of());
		assertThat(this.looks).isEmpty();
		assertThat(this.visited).containsExactly("a");
	}

	@Test
	void queuesOfClusterAreVisitedNodeByNode() {
		this.lanes = TestLanes.of(Map.of("a", "n1", "b", "n1", "c", "n2"));
		round(QUEUES, Map.of());
		assertThat(this.looks).isEmpty();
		assertThat(this.visited).containsExactlyInAnyOrderElementsOf(QUEUES);
	}

	@Test
	void refusedLookKeepsNoQueueFromBeingVisited() {
		this.error = new BrokerException("no permission", null);
		round(QUEUES, Map.of());
		assertThat(this.visited).isEqualTo(QUEUES);
		assertThat(this.idle).isEmpty();
	}

	@Test
	void allQueuesAreUnreachableIfLookIs() {
		this.error = new BrokerUnavailableException("away", null);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> round(QUEUES, Map.of()));
		assertThat(this.visited).isEmpty();
		assertThat(this.unreachable).containsExactlyInAnyOrderElementsOf(QUEUES);
	}

	@Test
	void idleQueuesAreUnreachableTooIfRedisGoesAwayAfterLook() {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> new QueueRound("test", this.lanes.lanes(),
					(kind, queues) -> new Found(Map.of("b", NOW), NOW, 0, 0))
				.each(Kind.RECOVER, QUEUES, (queue) -> {
					throw away;
				}, (queue, found) -> this.idle.add(queue), this.unreachable::add));
		assertThat(this.idle).containsExactly("a", "c");
		assertThat(this.unreachable).containsExactlyInAnyOrderElementsOf(QUEUES);
	}

	private void round(List<String> queues, Map<String, Instant> next) {
		BiFunction<Kind, Collection<String>, Found> finder = (kind, asked) -> {
			assertThat(kind).isEqualTo(Kind.CLEAN);
			this.looks.add(asked);
			if (this.error != null) {
				throw this.error;
			}
			return new Found(next, NOW, 0, 0);
		};
		new QueueRound("test", this.lanes.lanes(), finder).each(Kind.CLEAN, queues, this.visited::add,
				(queue, found) -> this.idle.add(queue), this.unreachable::add);
	}

}
