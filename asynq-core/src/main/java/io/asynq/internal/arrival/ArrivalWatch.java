package io.asynq.internal.arrival;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.MasterWatches;
import io.asynq.internal.lane.SubscriptionLoop;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.worker.ArrivalSignals;
import io.asynq.server.ServerOptions;

/**
 * Notifies processor and forwarder of arrivals, no matter which process has sent them;
 * where Redis or the connection does not support this, they poll.
 */
public final class ArrivalWatch extends PeriodicComponent {

	private static final String NAME = "asynq-arrival-watch-";

	private final ArrivalSource source;

	private final ArrivalSignals signals;

	private final ServerOptions options;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	private final MasterWatch single;

	private final MasterWatches masters;

	private long nextTryNanos = System.nanoTime();

	/** Counts starts: a run that a stop has left behind must not go on after the next. */
	private final AtomicInteger starts = new AtomicInteger();

	public ArrivalWatch(ArrivalSource source, ArrivalSignals signals, ServerOptions options, Lanes lanes, Loops loops) {
		super(ServerPhase.ARRIVAL_WATCH, loops);
		expectEndlessRuns();
		this.source = source;
		this.signals = signals;
		this.options = options;
		this.single = new MasterWatch(source, Lanes.UNKNOWN, signals, options, lanes, this.subscriptions);
		this.masters = new MasterWatches(options.queues().weights().keySet(), lanes, signals::onNewMaster,
				(master) -> MasterWatches.Running.start(NAME + master, loops.errors(), (subscriptions) -> {
					MasterWatch watch = new MasterWatch(source.at(master), master, signals, options, lanes,
							subscriptions);
					return () -> watch.listen(() -> {
					}, this::wake);
				}));
	}

	@Override
	protected void starting() {
		this.starts.incrementAndGet();
		this.signals.open();
		this.subscriptions.open();
		this.masters.open();
	}

	@Override
	protected Duration runOnce() {
		if (!this.options.wakeUp()) {
			return MasterWatch.TRY_AGAIN;
		}
		int start = this.starts.get();
		boolean spread = this.source.areSpread();
		if (start != this.starts.get()) {
			return Duration.ZERO;
		}
		return spread ? follow() : this.single.listen(this::works, this::wake);
	}

	private Duration follow() {
		Duration pause = this.masters.follow();
		// A queue may be redirected as fast as it is tried
		if (System.nanoTime() - this.nextTryNanos >= 0) {
			this.nextTryNanos = System.nanoTime() + MasterWatches.INTERVAL.toNanos();
			this.signals.tryAgain();
		}
		return pause;
	}

	@Override
	protected void stopping() {
		this.signals.close();
		runAtStop(() -> {
			this.masters.close();
			this.subscriptions.close();
		});
	}

}
