package io.asynq.internal.cancel;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.MasterWatches;
import io.asynq.internal.lane.SubscriptionLoop;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.redis.LoginRefusedException;

/**
 * Cancels tasks of this server on request; on a cluster it listens to each master that
 * serves its queues, since that one has the request, whichever other one hangs.
 */
public final class Subscriber extends PeriodicComponent {

	private static final Duration AFTER_ERROR = Duration.ofMillis(500);

	private final CancelChannel channel;

	private final Cancellations cancellations;

	private final Lanes lanes;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	private final MasterWatches masters;

	/** Counts starts: a run that a stop has left behind must not go on after the next. */
	private final AtomicInteger starts = new AtomicInteger();

	public Subscriber(CancelChannel channel, Cancellations cancellations, Collection<String> queues, Lanes lanes,
			Loops loops) {
		super(ServerPhase.SUBSCRIBER, loops);
		expectEndlessRuns();
		this.channel = channel;
		this.cancellations = cancellations;
		this.lanes = lanes;
		this.masters = new MasterWatches(queues, lanes, (moved) -> {
		}, (master) -> MasterWatches.Running.start("asynq-subscriber-" + master, loops.errors(),
				(subscriptions) -> () -> listen(master, subscriptions)));
	}

	@Override
	protected void starting() {
		this.starts.incrementAndGet();
		this.subscriptions.open();
		this.masters.open();
	}

	@Override
	protected Duration runOnce() {
		int start = this.starts.get();
		boolean spread = this.channel.areSpread();
		if (start != this.starts.get()) {
			return Duration.ZERO;
		}
		if (spread) {
			return this.masters.follow();
		}
		this.subscriptions
			.listen(this.channel.subscribe(this::works, (id) -> this.cancellations.cancel(id, (queue) -> true)));
		return Duration.ZERO;
	}

	@Override
	protected void stopping() {
		runAtStopForOutcomes(() -> {
			this.masters.close();
			this.subscriptions.close();
		});
	}

	/**
	 * Other masters pass the same messages on: the one that has hung does so late, when
	 * tasks of other queues may be retried already.
	 */
	private Duration listen(String master, SubscriptionLoop subscriptions) {
		AtomicBoolean ready = new AtomicBoolean();
		try {
			subscriptions.listen(this.channel.at(master).subscribe(() -> {
				ready.set(true);
				this.lanes.answered(master);
			}, (id) -> this.cancellations.cancel(id, (queue) -> isOf(queue, master))));
		}
		catch (LoginRefusedException ex) {
			throw ex;
		}
		catch (BrokerUnavailableException ex) {
			// Else only this connection was lost
			if (!ready.get()) {
				this.lanes.failed(master, ex);
			}
		}
		return AFTER_ERROR;
	}

	private boolean isOf(String queue, String master) {
		String lane = this.lanes.of(queue);
		return lane.equals(master) || lane.equals(Lanes.UNKNOWN);
	}

}
