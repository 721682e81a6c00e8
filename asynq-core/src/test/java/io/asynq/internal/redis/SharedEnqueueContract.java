package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that several threads enqueue while Redis does not answer: two calls are under
 * way, and all other callers share the next one or two.
 */
@OnDrivers
@Timeout(300)
class SharedEnqueueContract extends BrokerContract {

	private static final Placement NOW = new Placement.Pending();

	private final Crowd crowd;

	SharedEnqueueContract(RedisConnectionFactory factory) {
		super(factory);
		this.crowd = new Crowd(this.broker, factory);
	}

	/**
	 * Queues are listed by writes, too, and Redis has scripts, so that each is a call.
	 */
	@BeforeEach
	void enqueueSome() {
		for (String queue : List.of(QUEUE, "a", "b", "c")) {
			this.broker.enqueuer().enqueue(in(queue, "0"));
			this.broker.enqueuer().enqueueAll(List.of(in(queue, "1"), in(queue, "2")));
		}
	}

	@AfterEach
	void close() {
		this.broker.close();
	}

	@Test
	void manyCallersShareOneCall() {
		long before = this.crowd.calls();
		List<Optional<AsynqException>> results = this.crowd.enqueue(IntStream.rangeClosed(3, 20)
			.mapToObj((i) -> in(QUEUE, String.valueOf(i)))
			.toArray(EnqueueRequest[]::new));
		assertThat(results).hasSize(18).containsOnly(Optional.empty());
		long shared = this.crowd.calls() - before - 2;
		// Both calls that are under way may end at the same time and find callers in line
		assertThat(shared).isBetween(1L, 2L);
		assertThat(this.state.pending(QUEUE))
			.containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(0, 20).mapToObj(String::valueOf).toList());
		List<Integer> placed = this.state.pending(QUEUE).subList(5, 21).stream().map(Integer::valueOf).toList();
		assertThat(IntStream.range(1, placed.size()).filter((i) -> placed.get(i) < placed.get(i - 1)).count())
			.as("the tasks of a shared call in the order in which they came: %s", placed)
			.isLessThan(shared);
	}

	@Test
	void everyKindOfTaskIsStoredAsByACallOfItsOwn() {
		EnqueueRequest replacing = new EnqueueRequest(RedisState.message(QUEUE, "new").build(), NOW, null, null, true);
		assertThat(this.crowd.enqueue(in(QUEUE, "3"), in(QUEUE, "4"), in(QUEUE, "plain"),
				request("unique", NOW, Duration.ofSeconds(90)),
				request("later", new Placement.Scheduled(this.clock.instant().plusSeconds(60)), null),
				grouped("member", "g"), replacing))
			.containsOnly(Optional.empty());
		assertThat(this.state.pending(QUEUE)).contains("plain", "unique", "new");
		this.state.assertScheduled(QUEUE, "later");
		assertThat(this.state.fields(QUEUE, "unique")).containsKey("unique_key");
		assertThat(this.state.fields(QUEUE, "member")).containsEntry("group", "g")
			.containsEntry("state", "aggregating");
	}

	@Test
	void eachCallerGetsItsOwnErrorAndOthersAreStored() {
		this.state.redis().opsForValue().set("asynq:{default}:g:bad", "text");
		List<Optional<AsynqException>> results = this.crowd.enqueue(in(QUEUE, "3"), in(QUEUE, "4"),
				request("first", NOW, Duration.ofSeconds(90)), request("second", NOW, Duration.ofSeconds(90)),
				in(QUEUE, "0"), grouped("member", "bad"),
				new EnqueueRequest(RedisState.message(QUEUE, "eternal").build(), NOW,
						Duration.ofSeconds(Long.MAX_VALUE), "key", false),
				in(QUEUE, "last"));
		assertThat(errors(results.subList(4, 8))).containsExactly(TaskIdConflictException.class, BrokerException.class,
				BrokerException.class, null);
		// In one shared call the first is stored, in two whichever comes first
		assertThat(errors(results.subList(2, 4))).containsExactlyInAnyOrder(null, DuplicateTaskException.class);
		String stored = results.get(2).isEmpty() ? "first" : "second";
		assertThat(this.state.pending(QUEUE)).containsExactlyInAnyOrder("0", "1", "2", "3", "4", stored, "last");
		assertThat(errors(results.subList(0, 2))).containsOnlyNulls();
	}

	@Test
	void callersOfSeveralQueuesGetTheirOwnAnswers() {
		this.state.redis().delete("asynq:{b}:pending");
		this.state.redis().opsForValue().set("asynq:{b}:pending", "text");
		List<Optional<AsynqException>> results = this.crowd.enqueue(in(QUEUE, "3"), in(QUEUE, "4"), in("a", "3"),
				in("b", "3"), in("c", "1"), in("a", "4"), in("c", "3"));
		assertThat(errors(results)).containsExactly(null, null, null, BrokerException.class,
				TaskIdConflictException.class, null, null);
		assertThat(this.state.pending("a")).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
		assertThat(this.state.pending("c")).containsExactlyInAnyOrder("0", "1", "2", "3");
		assertThat(this.state.redis().opsForSet().members("asynq:queues")).isEqualTo(Set.of(QUEUE, "a", "b", "c"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void thousandsOfVirtualThreadsEnqueueOneTaskEach() {
		VirtualThreadTaskExecutor threads = new VirtualThreadTaskExecutor();
		List<CompletableFuture<Void>> callers = IntStream.range(0, 5000)
			.mapToObj((i) -> threads.submitCompletable(() -> this.broker.enqueuer().enqueueShared(in(QUEUE, "v" + i))))
			.toList();
		callers.forEach(CompletableFuture::join);
		assertThat(this.state.pending(QUEUE)).hasSize(5003).doesNotHaveDuplicates();
	}

	private static List<@Nullable Object> errors(List<Optional<AsynqException>> results) {
		return results.stream().<@Nullable Object>map((error) -> error.map(Object::getClass).orElse(null)).toList();
	}

	private static EnqueueRequest in(String queue, String id) {
		return new EnqueueRequest(RedisState.message(queue, id).build(), NOW, null);
	}

	private static EnqueueRequest request(String id, Placement placement, @Nullable Duration lock) {
		return new EnqueueRequest(RedisState.message(QUEUE, id).build(), placement, lock);
	}

	private static EnqueueRequest grouped(String id, String group) {
		return new EnqueueRequest(RedisState.message(QUEUE, id).group(group).build(), new Placement.Grouped(), null);
	}

}
