package io.asynq.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.broker.StagedGroup;
import io.asynq.handler.GroupAggregator;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The aggregators that are under way, until they return: those that take too long are
 * given up, and their tasks go back to the group. Safe for concurrent use.
 */
final class AggregatorCalls {

	private static final Logger logger = OneLineLogger.of(AggregatorCalls.class);

	private final ServerRuntime runtime;

	private final GroupBackOff backOff;

	private final Set<AggregatorCall> underWay = ConcurrentHashMap.newKeySet();

	/** Whether no aggregator may be called any more. */
	private volatile boolean ended;

	AggregatorCalls(ServerRuntime runtime, GroupBackOff backOff) {
		this.runtime = runtime;
		this.backOff = backOff;
	}

	AggregatorCall add(StagedGroup staged, GroupAggregator aggregator) {
		AggregatorCall call = new AggregatorCall(staged, aggregator);
		this.underWay.add(call);
		if (this.ended) {
			call.giveUp();
		}
		return call;
	}

	/**
	 * Gives up those whose sets expire by now: somebody else may take their tasks at any
	 * moment, so what they return would be refused.
	 * @param nanoTime the present
	 * @return in which nano time the next one's set expires, {@code null} if none is
	 * under way
	 */
	@Nullable Long giveUpOverdue(long nanoTime) {
		Long next = null;
		for (AggregatorCall call : this.underWay) {
			long end = call.staged().endNanos();
			if (end - nanoTime > 0) {
				next = (next == null || end - next < 0) ? (Long) end : next;
			}
			else if (!call.isGivenUp()) {
				giveUpOverdue(call);
			}
		}
		return next;
	}

	/**
	 * Calls aggregators again after {@link #giveUpAll()}.
	 */
	void goOn() {
		this.ended = false;
	}

	/**
	 * Gives up those that have caused the present stop, which counts for their groups as
	 * a crash: they do not return before the server has stopped.
	 * @return those whose tasks are to be given back
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

	/**
	 * Gives up all, because the server ends; also what is being staged at this moment.
	 * @return those whose tasks are to be given back
	 */
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

	/**
	 * Says that nothing more is to be expected of an aggregator, and how it has ended.
	 * @param call the aggregator
	 */
	void remove(AggregatorCall call) {
		noteEnd(call);
		this.underWay.remove(call);
	}

	/**
	 * Gives the tasks of an aggregator that was given up back to their group, if nobody
	 * has done so.
	 * @param call who has them
	 */
	void giveUpTasks(AggregatorCall call) {
		noteEnd(call);
		giveBack(call);
	}

	/**
	 * Gives the tasks back to their group, if nobody has done so.
	 * @param call who has them
	 */
	void giveBack(AggregatorCall call) {
		try {
			this.runtime.broker().groupStore().giveBack(call.staged());
		}
		catch (BrokerException ex) {
			logger.warn("The tasks of {} go back to it only after {}, when their set expires: {}", call.group(),
					call.staged().expiresAt(), ex.getMessage());
		}
	}

	private void giveUpOverdue(AggregatorCall call) {
		Thread thread = call.thread();
		Exception stack = new Exception("where the aggregator is");
		if (thread != null) {
			stack.setStackTrace(thread.getStackTrace());
		}
		if (!call.giveUp()) {
			return;
		}
		this.runtime.counters().aggregations(call.staged().queue()).failed.increment();
		this.backOff.failed(call.group());
		long lost = this.underWay.stream().filter(AggregatorCall::isGivenUp).count();
		logger.warn(
				"The aggregator {} has had its time with {} at {}: it is interrupted, its {} tasks go back, and what it"
						+ " returns is dropped. Until it returns its thread is not free ({} of {} are kept so), and this"
						+ " server leaves the group alone. Bound what it waits for; 'asynq.server.group-max-size' bounds"
						+ " what it gets",
				call.aggregator(), call.group(), call.staged().expiresAt(), call.staged().size(), lost,
				AggregatorThreads.THREADS, stack);
		giveUpTasks(call);
	}

	/**
	 * What is not noted counts as a crash when the set has expired: better than to fail.
	 */
	private void noteEnd(AggregatorCall call) {
		try {
			this.runtime.broker().aggregators().end(call.staged(), call.how());
		}
		catch (BrokerException ex) {
			logger.debug("That the aggregator of {} has ended is not noted", call.group(), ex);
		}
	}

}
