package io.asynq.broker.redis.signal;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.driver.TrackedConnection;
import io.asynq.broker.redis.driver.TrackedConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Uses client-side caching as {@link RedisArrivalSubscription} does, where Redis reports
 * changes over the connection that has read. The listening thread asks once a second
 * whether Redis still answers; while it does not, the queues are looked at without its
 * reports.
 */
final class PushedArrivals implements ArrivalSubscription, TrackedConnections.Listener {

	private static final Duration REST = Duration.ofSeconds(1);

	/** After that long without an answer reports may be missing as well. */
	private static final Duration DOUBT = Duration.ofMillis(500);

	/** How often to doubt before the connection is given up. */
	private static final int DOUBTS = 6;

	private final TrackedConnections connections;

	private final ArrivalListener listener;

	private final WatchedKeys keys;

	private final CountDownLatch ended = new CountDownLatch(1);

	/** Serializes what is sent over the connection. */
	private final Object reading = new Object();

	private volatile @Nullable TrackedConnection open;

	/** Whoever waits for the connection, to be interrupted at the end. */
	private @Nullable Thread connecting;

	private boolean closed;

	PushedArrivals(TrackedConnections connections, Collection<String> queues, ArrivalListener listener) {
		this.connections = connections;
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
				if (!isAnswered(tracked.ping())) {
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
		synchronized (this.reading) {
			return WatchedKeys.readPending(connection(), queues);
		}
	}

	@Override
	public void watchDelayed(Collection<String> queues) {
		synchronized (this.reading) {
			WatchedKeys.readDelayed(connection(), queues);
		}
	}

	@Override
	public void onChange(String key) {
		this.keys.changed(key);
	}

	@Override
	public void onFlush() {
		this.keys.allChanged();
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
		TrackedConnection tracked;
		try {
			tracked = this.connections.open(this);
		}
		catch (DataAccessException | IllegalStateException ex) {
			throw ScriptRunner.translate("CLIENT TRACKING", "arrivals", ex);
		}
		if (tracked == null) {
			throw new BrokerException("arrivals are reported over Lettuce only with RESP3, its default protocol", null);
		}
		return tracked;
	}

	private boolean isAnswered(Future<?> answer) throws InterruptedException {
		for (int doubts = 0; doubts < DOUBTS && this.ended.getCount() > 0; doubts++) {
			try {
				answer.get(DOUBT.toMillis(), TimeUnit.MILLISECONDS);
				return true;
			}
			catch (TimeoutException ex) {
				this.keys.allChanged();
			}
			catch (ExecutionException ex) {
				return false;
			}
		}
		return this.ended.getCount() == 0;
	}

	private RedisConnection connection() {
		TrackedConnection present = this.open;
		if (present == null) {
			throw new BrokerUnavailableException("Arrivals are not listened to", null);
		}
		return present.connection();
	}

}
