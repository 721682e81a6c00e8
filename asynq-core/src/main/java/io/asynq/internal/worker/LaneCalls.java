package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.LaneCall;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a node of a cluster only as long as its lane is awaited; until it answers,
 * all its queues rest; used by one thread at a time.
 */
final class LaneCalls {

	/** Until a pending call ends, however long its driver retries. */
	private static final Duration UNTIL_ANSWERED = Duration.ofHours(1);

	private final Lanes lanes;

	private final LaneThreads threads;

	private final QueueReadiness readiness;

	private final Runnable processor;

	LaneCalls(Lanes lanes, QueueReadiness readiness, Runnable processor) {
		this.lanes = lanes;
		this.threads = lanes.threads("asynq-processor");
		this.readiness = readiness;
		this.processor = processor;
	}

	/**
	 * @param late takes tasks that come when nobody waits any more, in another thread
	 */
	@Nullable Dequeued call(String queue, Supplier<Dequeued> ask, Consumer<List<LeasedTask>> late) {
		String lane = this.lanes.of(queue);
		if (this.threads.isBusy(lane)) {
			this.readiness.rest(List.of(queue), QueueReadiness.REST);
			return null;
		}
		Collection<String> its = this.lanes.sharingWith(queue);
		LaneCall<Dequeued> call = new LaneCall<>(ask, (answer, error) -> {
			ended(lane, its, error);
			if (answer != null && !answer.tasks().isEmpty()) {
				late.accept(answer.tasks());
			}
		});
		call.make(this.threads, lane);
		if (call.isAwaited()) {
			this.readiness.rest(its, UNTIL_ANSWERED);
			if (call.leave()) {
				return null;
			}
			this.readiness.endRest(its);
		}
		try {
			Dequeued answer = call.answer();
			this.lanes.answered(lane);
			return answer;
		}
		catch (BrokerUnavailableException ex) {
			unreachable(lane, its, ex);
			return null;
		}
	}

	private void ended(String lane, Collection<String> queues, @Nullable RuntimeException error) {
		if (error instanceof BrokerUnavailableException unavailable) {
			unreachable(lane, queues, unavailable);
		}
		else {
			if (error != null) {
				this.lanes.errors().warn("asynq-processor", error);
			}
			this.lanes.answered(lane);
			this.readiness.rest(queues, Duration.ZERO);
		}
		this.processor.run();
	}

	private void unreachable(String lane, Collection<String> queues, BrokerUnavailableException error) {
		if (lane.equals(Lanes.UNKNOWN)) {
			this.lanes.errors().warn("asynq-processor", error);
		}
		this.lanes.failed(lane, error);
		this.readiness.rest(queues, QueueReadiness.REST);
	}

}
