package io.asynq.operations.preflight;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.arrival.ArrivalListener;
import io.asynq.internal.arrival.ArrivalSource;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.redis.Subscription;
import org.jspecify.annotations.Nullable;

/** Rights to listen show only by listening a moment, on a cluster to each master. */
final class ListeningCheck {

	private static final String SUBJECT = "the rights to listen";

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final CancelChannel cancellations;

	private final ArrivalSource arrivals;

	private final boolean choosesNode;

	private final RedisUserRule rule;

	ListeningCheck(CancelChannel cancellations, ArrivalSource arrivals, RedisUserRule rule) {
		this.cancellations = cancellations;
		this.arrivals = arrivals;
		this.choosesNode = cancellations.choosesNode();
		this.rule = rule;
	}

	void runOnce(Findings findings) {
		if (!this.choosesNode) {
			run("", this.cancellations, this.arrivals, findings);
		}
	}

	void run(StoreNode node, Findings findings) {
		if (!node.isOnly() && this.choosesNode) {
			String address = node.address();
			run(address, this.cancellations.at(address), this.arrivals.at(address), findings);
		}
	}

	private void run(String address, CancelChannel cancellations, ArrivalSource arrivals, Findings findings) {
		if (findings.haveFix(this.rule.advice())) {
			return;
		}
		try {
			listen((onReady) -> cancellations.subscribe(onReady, (id) -> {
			}));
			tryArrivals(arrivals);
		}
		catch (BrokerException ex) {
			if (Findings.isForbidden(ex)) {
				findings.add(address, "does not let its user listen (" + ex.getMessage() + ")", this.rule.advice());
			}
			else {
				findings.notChecked(SUBJECT, String.valueOf(ex.getMessage()));
			}
		}
	}

	/** Where arrivals are not reported, servers poll and say so. */
	private static void tryArrivals(ArrivalSource arrivals) {
		try {
			listen((onReady) -> arrivals.subscribe(List.of(), new Nothing(onReady)));
		}
		catch (BrokerException ex) {
			if (Findings.isForbidden(ex)) {
				throw ex;
			}
		}
	}

	private static void listen(Function<Runnable, Subscription> channel) {
		CompletableFuture<Boolean> ready = new CompletableFuture<>();
		Subscription subscription = channel.apply(() -> ready.complete(true));
		Thread thread = new Thread(() -> {
			try {
				subscription.listen();
			}
			catch (Throwable ex) {
				ready.completeExceptionally(ex);
			}
		}, "asynq-preflight-listening");
		thread.setDaemon(true);
		thread.start();
		try {
			ready.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof AsynqException refusal) ? refusal
					: new BrokerException("Redis cannot be listened to: " + ex.getCause(), ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new BrokerUnavailableException("no answer within " + PATIENCE.toSeconds() + " s", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new BrokerUnavailableException("the calling thread was interrupted", ex);
		}
		finally {
			subscription.close();
		}
	}

	private record Nothing(Runnable ready) implements ArrivalListener {

		@Override
		public void onReady() {
			this.ready.run();
		}

		@Override
		public void onPending(String queue) {
		}

		@Override
		public void onDelayed(String queue) {
		}

		@Override
		public void onMoved(String queue, @Nullable String master) {
		}

	}

}
