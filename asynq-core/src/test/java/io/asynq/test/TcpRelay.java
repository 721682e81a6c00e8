package io.asynq.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Stands between a client and a server on loopback. It can leave connections stranded:
 * they stay open but nothing passes any more, as when a machine between has lost its
 * state. And it can lose an answer: what is asked reaches the server, but the connection
 * ends instead of the answer.
 */
public final class TcpRelay implements AutoCloseable {

	private final ServerSocket listening;

	private final int target;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<AtomicBoolean> stranded = new CopyOnWriteArrayList<>();

	private final AtomicReference<String> question = new AtomicReference<>();

	private final AtomicInteger lost = new AtomicInteger();

	private volatile Runnable whenLost = () -> {
	};

	/**
	 * Begins to listen.
	 * @param target the server's port
	 */
	public TcpRelay(int target) {
		this.target = target;
		try {
			this.listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	public int port() {
		return this.listening.getLocalPort();
	}

	/**
	 * Connects to the server through this; the caller destroys the factory.
	 * @param factory a factory of the same driver
	 * @return a started factory
	 */
	public RedisConnectionFactory connectionsLike(RedisConnectionFactory factory) {
		RedisStandaloneConfiguration here = new RedisStandaloneConfiguration("127.0.0.1", port());
		if (factory instanceof LettuceConnectionFactory) {
			LettuceConnectionFactory lettuce = new LettuceConnectionFactory(here);
			lettuce.afterPropertiesSet();
			lettuce.start();
			return lettuce;
		}
		JedisConnectionFactory jedis = new JedisConnectionFactory(here);
		jedis.afterPropertiesSet();
		jedis.start();
		return jedis;
	}

	/**
	 * Lets nothing pass over the present connections any more. New ones work.
	 */
	public void strand() {
		this.stranded.forEach((connection) -> connection.set(true));
	}

	/**
	 * Loses the answer to the next question of this kind, once.
	 * @param question text that the question contains
	 */
	public void loseAnswerTo(String question) {
		this.question.set(question);
	}

	/**
	 * Has something done when an answer is lost, before the connection ends.
	 * @param whenLost what to do
	 */
	public void whenLost(Runnable whenLost) {
		this.whenLost = whenLost;
	}

	/**
	 * Returns how many answers were lost.
	 * @return the number
	 */
	public int lost() {
		return this.lost.get();
	}

	@Override
	public void close() {
		try {
			this.listening.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listening.accept();
			Socket server = new Socket(InetAddress.getByName("127.0.0.1"), this.target);
			this.sockets.addAll(List.of(client, server));
			AtomicBoolean connection = new AtomicBoolean();
			AtomicBoolean losing = new AtomicBoolean();
			this.stranded.add(connection);
			start(() -> pump(client, server, connection, (bytes) -> {
				losing.compareAndSet(false, isTheQuestion(bytes));
				return true;
			}));
			start(() -> pump(server, client, connection, (bytes) -> !losing.get()));
		}
	}

	private boolean isTheQuestion(String bytes) {
		String question = this.question.get();
		return question != null && bytes.contains(question) && this.question.compareAndSet(question, null);
	}

	private void pump(Socket from, Socket to, AtomicBoolean stranded, Predicate<String> passes) throws IOException {
		byte[] buffer = new byte[8192];
		InputStream in = from.getInputStream();
		OutputStream out = to.getOutputStream();
		int count = in.read(buffer);
		while (count >= 0) {
			if (!passes.test(new String(buffer, 0, count, StandardCharsets.ISO_8859_1))) {
				this.lost.incrementAndGet();
				this.whenLost.run();
				break;
			}
			if (!stranded.get()) {
				out.write(buffer, 0, count);
			}
			count = in.read(buffer);
		}
		if (!stranded.get()) {
			to.close();
		}
	}

	private static void start(Pump pump) {
		Thread thread = new Thread(() -> {
			try {
				pump.run();
			}
			catch (IOException ex) {
				// One side has closed
			}
		}, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * What one thread does until a socket is closed.
	 */
	private interface Pump {

		void run() throws IOException;

	}

}
