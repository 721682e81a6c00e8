package io.asynq.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.micro.MicroBenchmark;
import io.asynq.internal.worker.QueueSelector;
import io.asynq.internal.worker.QueueShare;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One call per queue, which happens once per fetch while handlers take long. */
// A selector belongs to one thread
@State(Scope.Thread)
public class QueueSelectionBenchmark extends MicroBenchmark {

	private static final int WORKERS = 10;

	@Param({ "3", "30", "200" })
	public int queues;

	private QueueSelector selector = new QueueSelector(new QueueWeights(Map.of(), false), (queue) -> 0);

	private List<String> candidates = List.of();

	@Setup
	public void build() {
		Map<String, Integer> weights = new LinkedHashMap<>();
		for (int i = 0; i < this.queues; i++) {
			weights.put("queue" + i, 1 + i % 6);
		}
		this.selector = new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
		this.candidates = List.copyOf(weights.keySet());
	}

	@Benchmark
	public int share() {
		int left = WORKERS;
		int calls = 0;
		while (left > 0) {
			QueueShare share = this.selector.next(left, this.queues, this.candidates);
			this.selector.taken(share.queue(), share.max());
			left -= share.max();
			calls++;
		}
		return calls;
	}

}
