package io.asynq.internal.arrival;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.driver.TrackedConnections;
import io.asynq.internal.redis.driver.TrackedConnections.TrackedConnection;
import io.asynq.internal.worker.ArrivalSubscription;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Redis reports the next change of each key read, which costs it less than broadcasts;
 * once a second it is asked whether it answers, and which slots it serves, as it does not
 * report that one has moved.
 */
public final class PushedArrivals implements ArrivalSubscription, TrackedConnections.Listener {

	private static final Duration REST = Duration.ofSeconds(1);

	/** After that long without an answer reports may be missing as well. */
	private static final Duration DOUBT = Duration.ofMillis(500);

	/** How often to doubt before the connection is given up. */
	private static final int DOUBTS = 6;

	private final TrackedConnections connections;

	private final boolean ofNode;

	private final Collection<String> queues;

	private final ArrivalListener listener;

	private final WatchedKeys keys;

	/** Those of this node that were read; used on a cluster only. */
	private final Set<String> watched = ConcurrentHashMap.newKeySet();

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile @Nullable TrackedConnection open;

	/** Whoever waits for the connection, to be interrupted at the end. */
	private @Nullable Thread connecting;

	private boolean closed;

	public PushedArrivals(TrackedConnections connections, boolean ofNode, Collection<String> queues,
			ArrivalListener listener) {
		this.connections = connections;
		this.ofNode = ofNode;
		this.queues = queues;
		this.listener = listener;
		this.keys = new WatchedKeys(queues, listener);
	}

	@Override
	public void listen() {
		if (!begin()) {
			return;
		}
		String end = "has ended";
		try (TrackedConnection tracked = connect()) {
			this.open = tracked;
			connected();
			this.listener.onReady();
			while (!this.ended.await(REST.toMillis(), TimeUnit.MILLISECONDS)) {
				if (!isAnswered(tracked.answer())) {
					end = "received nothing more and was given up";
					break;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (AsynqException ex) {
			if (!isClosed()) {
				throw ex;
			}
		}
		finally {
			this.open = null;
			connected();
		}
		if (!isClosed()) {
			throw new BrokerUnavailableException("The connection over which queues are watched " + end, null);
		}
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
			if (this.connecting != null) {
				this.connecting.interrupt();
			}
		}
		this.ended.countDown();
	}

	@Override
	public Set<String> watchPending(Collection<String> queues) {
		TrackedConnection present = present();
		if (!this.ofNode) {
			synchronized (present) {
				return WatchedKeys.readPending(present.connection(), queues);
			}
		}
		Set<String> ready = new HashSet<>();
		readEach(present, queues,
				(connection, queue) -> ready.addAll(WatchedKeys.readPending(connection, List.of(queue))));
		return ready;
	}

	@Override
	public void watchDelayed(Collection<String> queues) {
		TrackedConnection present = present();
		if (!this.ofNode) {
			synchronized (present) {
				WatchedKeys.readDelayed(present.connection(), queues);
			}
			return;
		}
		readEach(present, queues, (connection, queue) -> WatchedKeys.readDelayed(connection, List.of(queue)));
	}

	@Override
	public void onChange(String key) {
		this.keys.changed(key);
	}

	@Override
	public void onFlush() {
		doubt();
	}

	@Override
	public void onEnd() {
		this.ended.countDown();
	}

	private synchronized boolean begin() {
		this.connecting = Thread.currentThread();
		return !this.closed;
	}

	private synchronized void connected() {
		this.connecting = null;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private TrackedConnection connect() {
		try {
			return this.connections.open(this);
		}
		catch (DataAccessException | IllegalStateException ex) {
			throw ScriptRunner.translate("CLIENT TRACKING", "arrivals", ex);
		}
	}

	private boolean isAnswered(Future<String> answer) throws InterruptedException {
		for (int doubts = 0; doubts < DOUBTS && this.ended.getCount() > 0; doubts++) {
			try {
				check(answer.get(DOUBT.toMillis(), TimeUnit.MILLISECONDS));
				return true;
			}
			catch (TimeoutException ex) {
				doubt();
			}
			catch (ExecutionException ex) {
				return false;
			}
		}
		return this.ended.getCount() == 0;
	}

	/** Has the queues looked at, because reports may be missing. */
	private void doubt() {
		this.keys.allChanged(this.ofNode ? this.watched : this.queues);
	}

	private void check(String answer) {
		if (this.ofNode) {
			ServedSlots slots = ServedSlots.of(answer);
			this.watched.stream().filter((queue) -> !slots.include(queue)).forEach((queue) -> moved(queue, null));
		}
	}

	/** Their keys are in different slots, each of which may have moved. */
	private void readEach(TrackedConnection present, Collection<String> queues,
			BiConsumer<RedisConnection, String> read) {
		for (String queue : queues) {
			// First: the slot may move as soon as it was read
			this.watched.add(queue);
			try {
				synchronized (present) {
					read.accept(present.connection(), queue);
				}
			}
			catch (BrokerException ex) {
				Redirection redirection = Redirection.of(ex);
				if (redirection == null) {
					throw ex;
				}
				moved(queue, redirection.master());
			}
		}
	}

	private void moved(String queue, @Nullable String master) {
		this.watched.remove(queue);
		this.listener.onMoved(queue, master);
	}

	private TrackedConnection present() {
		TrackedConnection present = this.open;
		if (present == null) {
			throw new BrokerUnavailableException("Arrivals are not listened to", null);
		}
		return present;
	}

}
