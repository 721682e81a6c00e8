package io.asynq.internal.arrival;

import java.time.Duration;
import java.util.Collection;

import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.ListeningComponent;
import io.asynq.internal.lane.SubscriptionLoop;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.worker.ArrivalSignals;
import io.asynq.server.ServerOptions;

/**
 * Notifies processor and forwarder of arrivals, no matter which process has sent them;
 * where Redis or the connection does not support this, they poll.
 */
public final class ArrivalWatch extends ListeningComponent {

	private final ArrivalSource source;

	private final ArrivalSignals signals;

	private final ServerOptions options;

	private final Lanes lanes;

	private final MasterWatch single;

	private long nextTryNanos = System.nanoTime();

	public ArrivalWatch(ArrivalSource source, ArrivalSignals signals, ServerOptions options, Lanes lanes, Loops loops) {
		super(ServerPhase.ARRIVAL_WATCH, "asynq-arrival-watch-", options.queues().weights().keySet(), lanes, loops);
		this.source = source;
		this.signals = signals;
		this.options = options;
		this.lanes = lanes;
		this.single = new MasterWatch(source, Lanes.UNKNOWN, signals, options, lanes);
	}

	@Override
	protected void starting() {
		this.signals.open();
		super.starting();
	}

	@Override
	protected Duration runOnce() {
		return this.options.wakeUp() ? super.runOnce() : MasterWatch.TRY_AGAIN;
	}

	@Override
	protected boolean areSpread() {
		return this.source.areSpread();
	}

	@Override
	protected Duration listen(SubscriptionLoop subscriptions) {
		return this.single.listen(subscriptions, this::works, this::wake);
	}

	@Override
	protected PeriodicRunner.Job at(String master, SubscriptionLoop subscriptions) {
		MasterWatch watch = new MasterWatch(this.source.at(master), master, this.signals, this.options, this.lanes);
		return () -> watch.listen(subscriptions, () -> {
		}, this::wake);
	}

	@Override
	protected void moved(Collection<String> queues) {
		this.signals.onNewMaster(queues);
	}

	@Override
	protected Duration follow() {
		Duration pause = super.follow();
		// A queue may be redirected as fast as it is tried
		if (System.nanoTime() - this.nextTryNanos >= 0) {
			this.nextTryNanos = System.nanoTime() + INTERVAL.toNanos();
			this.signals.tryAgain();
		}
		return pause;
	}

	@Override
	protected void stopping() {
		this.signals.close();
		runAtStop(this::endAll);
	}

}
