package io.asynq.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.JavaProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A process with too little memory for what its handlers throw.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(300)
class SmallMemoryIT {

	private static final String QUEUE = "default";

	private static final int TASKS = 20;

	private final TestRedis redis;

	private final RedisState state;

	SmallMemoryIT(TestRedis redis, RedisConnectionFactory factory) {
		this.redis = redis;
		this.state = new RedisState(factory);
	}

	/**
	 * Messages of 30 MB by kind of character: wide ones take twice as much memory, so
	 * that four at a time do not fit.
	 */
	@ParameterizedTest
	@CsvSource({ "x, IllegalStateException: xxxxxxxx", "ж, Error" })
	void outcomesAreWrittenAfterOutOfMemory(String character, String text) throws Exception {
		this.state.seedPending(IntStream.range(0, TASKS).mapToObj(SmallMemoryIT::message).toArray(TaskMessage[]::new));
		Process child = start(character);
		try {
			String[] ids = IntStream.range(0, TASKS).mapToObj((i) -> "huge" + i).toArray(String[]::new);
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertRetry(QUEUE, ids));
			this.state.assertActive(QUEUE);
			assertThat(ids).anySatisfy((id) -> assertThat(this.state.stored(QUEUE, id).errorMessage()).contains(text));
			this.state.seedPending(RedisState.message(QUEUE, "sound").build());
			await().until(() -> !this.state.exists("asynq:{default}:t:sound"));
			assertThat(child.isAlive()).isTrue();
		}
		finally {
			child.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
		}
	}

	private static TaskMessage message(int number) {
		return RedisState.message(QUEUE, "huge" + number).build();
	}

	private Process start(String character) throws IOException {
		List<String> arguments = List.of(this.redis.host(), String.valueOf(this.redis.port()),
				String.valueOf((int) character.charAt(0)));
		return new ProcessBuilder(
				JavaProgram.command(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), Child.class.getName(), arguments))
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	/**
	 * Ends with its parent.
	 */
	static final class Child {

		public static void main(String[] args) {
			JedisConnectionFactory factory = new JedisConnectionFactory(
					new RedisStandaloneConfiguration(args[0], Integer.parseInt(args[1])));
			factory.afterPropertiesSet();
			factory.start();
			String character = Character.toString(Integer.parseInt(args[2]));
			TestServer.builder(factory).handling((task, context) -> {
				if (context.taskId().equals("sound")) {
					return null;
				}
				throw new IllegalStateException(character.repeat(30_000_000));
			}).start();
			try {
				System.in.read();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			Runtime.getRuntime().halt(0);
		}

	}

}
