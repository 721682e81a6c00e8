package io.asynq.internal.inspect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.inspect.ManyQueues.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReadableQueuesTests {

	private static final List<String> QUEUES = IntStream.range(0, 64).mapToObj((i) -> "q" + i).toList();

	private static final Function<Collection<String>, Map<String, String>> ONE_NODE = (queues) -> Map.of();

	private final List<List<String>> calls = new ArrayList<>();

	@Test
	void readsBatchInOneCall() {
		assertThat(read(ONE_NODE, (queue) -> {
		}, List.of(QUEUES)).values()).containsOnlyKeys(QUEUES);
		assertThat(this.calls).containsExactly(QUEUES);
	}

	@Test
	void findsTheQueueThatIsRefused() {
		Answer<String> answer = read(ONE_NODE, (queue) -> {
			if (queue.equals("q17")) {
				throw new BrokerException("no right", null);
			}
		}, List.of(QUEUES));
		assertThat(answer.errors()).containsOnlyKeys("q17");
		assertThat(answer.values()).hasSize(63).doesNotContainKey("q17");
		assertThat(this.calls).hasSize(13);
	}

	@Test
	void redisThatIsAwayIsAskedOnce() {
		Answer<String> answer = read(ONE_NODE, ReadableQueuesTests::away,
				List.of(QUEUES.subList(0, 8), QUEUES.subList(8, 64)));
		assertThat(answer.errors()).containsOnlyKeys(QUEUES);
		assertThat(this.calls).hasSize(1);
	}

	@Test
	void nodeThatIsAwayIsAskedOnceAndHarmsNoOther() {
		Function<Collection<String>, Map<String, String>> nodes = (queues) -> queues.stream()
			.collect(Collectors.toMap(Function.identity(), (queue) -> isOdd(queue) ? "odd" : "even"));
		Answer<String> answer = read(nodes, (queue) -> {
			if (isOdd(queue)) {
				away(queue);
			}
		}, QUEUES.stream().map(List::of).toList());
		assertThat(answer.values()).hasSize(32).allSatisfy((queue, value) -> assertThat(isOdd(queue)).isFalse());
		assertThat(answer.errors()).hasSize(32);
		assertThat(this.calls).hasSize(33);
	}

	@Test
	void allAreGivenUpWhenNoNodeSaysWhereQueuesAre() {
		Answer<String> answer = read((queues) -> {
			throw new BrokerUnavailableException("all away", null);
		}, ReadableQueuesTests::away, QUEUES.stream().map(List::of).toList());
		assertThat(answer.errors()).containsOnlyKeys(QUEUES);
		assertThat(this.calls).hasSize(1);
	}

	private Answer<String> read(Function<Collection<String>, Map<String, String>> nodes, Consumer<String> trouble,
			List<List<String>> batches) {
		ReadableQueues<String> readable = new ReadableQueues<>(QUEUES, (batch) -> {
			this.calls.add(batch);
			batch.forEach(trouble);
			return batch.stream().collect(Collectors.toMap(Function.identity(), Function.identity()));
		}, nodes);
		batches.forEach(readable::read);
		return readable.answer();
	}

	private static boolean isOdd(String queue) {
		return Integer.parseInt(queue.substring(1)) % 2 == 1;
	}

	private static void away(String queue) {
		throw new BrokerUnavailableException("away", null);
	}

}
