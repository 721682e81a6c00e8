package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.worker.StopCause;
import io.asynq.internal.worker.UserThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

public final class AggregatorCalls {

	private static final Logger logger = OneLineLogger.of(AggregatorCalls.class);

	private final GroupStore store;

	private final ServerCounters counters;

	private final TaskObservations observations;

	private final GroupBackOff backOff = new GroupBackOff(System::nanoTime);

	private final Set<AggregatorCall> underWay = ConcurrentHashMap.newKeySet();

	private volatile boolean ended;

	public AggregatorCalls(GroupStore store, ServerCounters counters, TaskObservations observations) {
		this.store = store;
		this.counters = counters;
		this.observations = observations;
	}

	GroupBackOff backOff() {
		return this.backOff;
	}

	AggregatorCall add(StagedGroup staged, TaskAggregatorFunction aggregator) {
		AggregatorCall call = new AggregatorCall(staged, aggregator);
		this.underWay.add(call);
		if (this.ended) {
			call.giveUp();
		}
		return call;
	}

	CrashRecord begin(AggregatorCall call) {
		return this.store.begin(call.staged());
	}

	TaskObservation observe(AggregatorCall call, GroupMembers members) {
		StagedGroup staged = call.staged();
		return (this.observations.isOn() && !members.isEmpty())
				? this.observations.aggregate(staged.queue(), staged.group(), members.tasks()) : TaskObservation.NONE;
	}

	void succeeded(AggregatorCall call, int tasks) {
		this.backOff.succeeded(call.group());
		ServerCounters.Aggregations its = this.counters.aggregations(call.staged().queue());
		its.succeeded.increment();
		its.tasks.add(tasks);
	}

	Duration failed(AggregatorCall call) {
		this.counters.aggregations(call.staged().queue()).failed.increment();
		return this.backOff.failed(call.group());
	}

	void rejected(int tasks) {
		this.counters.archived.add(tasks);
	}

	void poisoned(int tasks) {
		this.counters.archived.add(tasks);
		this.counters.poisoned.add(tasks);
	}

	/** Another server may take these tasks at any moment, so results would be refused. */
	@Nullable Long giveUpOverdue(long nanoTime, Consumer<AggregatorCall> givenUp) {
		Long next = null;
		for (AggregatorCall call : this.underWay) {
			long end = call.staged().endNanos();
			if (end - nanoTime > 0) {
				next = (next == null || end - next < 0) ? (Long) end : next;
			}
			else if (!call.isGivenUp() && giveUpOverdue(call)) {
				givenUp.accept(call);
			}
		}
		return next;
	}

	void goOn() {
		this.ended = false;
	}

	/**
	 * They do not return before the server has stopped; counts as a crash of their
	 * groups.
	 */
	List<AggregatorCall> giveUpCulprits() {
		List<AggregatorCall> culprits = new ArrayList<>();
		for (AggregatorCall call : this.underWay) {
			if (StopCause.isIn(call.thread()) && call.giveUpCulprit()) {
				logger.warn("The aggregator {} of {} has stopped its own server, which counts as a crash",
						call.aggregator(), call.group());
				culprits.add(call);
			}
		}
		return culprits;
	}

	/** Includes calls for groups that are just being staged. */
	List<AggregatorCall> giveUpAll() {
		this.ended = true;
		List<AggregatorCall> givenUp = new ArrayList<>();
		for (AggregatorCall call : this.underWay) {
			if (call.giveUp()) {
				logger.warn(
						"The aggregator {} of {} did not end within 'asynq.server.shutdown-timeout': it is"
								+ " interrupted, and its {} tasks go back to the group",
						call.aggregator(), call.group(), call.staged().size());
				givenUp.add(call);
			}
		}
		return givenUp;
	}

	void remove(AggregatorCall call) {
		noteEnd(call);
		this.underWay.remove(call);
	}

	void giveUpTasks(AggregatorCall call) {
		noteEnd(call);
		giveBack(call);
	}

	void giveBack(AggregatorCall call) {
		try {
			this.store.giveBack(call.staged());
		}
		catch (BrokerException ex) {
			logger.warn("The tasks of {} go back to it only after {}, when their set expires: {}", call.group(),
					call.staged().expiresAt(), ex.getMessage());
		}
	}

	private boolean giveUpOverdue(AggregatorCall call) {
		Exception stack = UserThread.where("the aggregator", call.thread());
		if (!call.giveUp()) {
			return false;
		}
		failed(call);
		long lost = this.underWay.stream().filter(AggregatorCall::isGivenUp).count();
		logger.warn(
				"The aggregator {} has taken too long for {}, whose set expired at {}: it is interrupted, its {} tasks go"
						+ " back, and its result will be dropped. Until it returns, its thread is not free ({} of {} are"
						+ " occupied like this), and this server leaves the group alone. Set timeouts in the aggregator;"
						+ " 'asynq.server.group-max-size' limits how many tasks it gets",
				call.aggregator(), call.group(), call.staged().expiresAt(), call.staged().size(), lost,
				AggregatorThreads.THREADS, stack);
		return true;
	}

	/**
	 * An end that is not recorded counts as a crash, which is better than to fail here.
	 */
	private void noteEnd(AggregatorCall call) {
		try {
			this.store.end(call.staged(), call.how());
		}
		catch (BrokerException ex) {
			logger.debug("The end of the aggregator of {} could not be recorded", call.group(), ex);
		}
	}

}
