package io.asynq.cli.dash;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Predicate;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Command;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The real program in a terminal, on tasks that Go and Java have written.
 */
@Tag("full")
class DashIT {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Path MODULE = Repository.path("asynq-cli");

	@TempDir
	private Path cache;

	private TestRedis redis;

	private JedisConnectionFactory connections;

	private AsynqInspector inspector;

	private Tmux tmux;

	@BeforeEach
	void fill() {
		this.redis = TestRedis.startOwn();
		this.connections = RedisExtension.connectionFactory(this.redis);
		RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		this.inspector = AsynqInspector.create(broker, Clock.systemUTC());
		AsynqClient client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
		for (int number = 0; number < 120; number++) {
			client.enqueue(Task.of("java:task", "{\"n\":" + number + "}"),
					TaskOptions.of((options) -> options.queue("java")));
		}
		Path fill = GoProgram.build(MODULE.resolve("src/test/go"), MODULE.resolve("target/go/fill"));
		Command.run(fill.toString(), this.redis.host() + ":" + this.redis.port());
		// The launcher takes the Java of this test, which need not be that of the PATH
		this.tmux = new Tmux(MODULE, "XDG_CACHE_HOME=" + this.cache, "JAVA_HOME=" + System.getProperty("java.home"));
	}

	@AfterEach
	void stop() {
		this.tmux.close();
		this.connections.destroy();
		this.redis.stop();
	}

	@Test
	void showsWhatGoAndJavaHaveWritten() {
		start();
		see("go +nobody +7 ", "java +nobody +120 ");
		this.tmux.key("Enter");
		see("Queue go +size 7", "\\[active 0\\]", "No active tasks");
		this.tmux.key("l");
		see("\\[pending 2\\]", "from-go +go:mail +0/3 +\\{\"to\":\"gopher\"\\}",
				"·\\[31mevil·\\[0m +go:evil +0/3 +0x1b5b");
		this.tmux.type("/gopher");
		this.tmux.key("Enter");
		see("filter 'gopher', looked at 2 of 2");
		this.tmux.key("Enter");
		see("ID +from-go", "Payload \\(JSON\\)", "\"to\" : \"gopher\"");
		this.tmux.key("Escape");
		see("filter 'gopher'");
		this.tmux.key("Escape");
		see("page 1", "go:evil");
		this.tmux.key("Right");
		see("\\[aggregating 1\\]", "sales +1");
		this.tmux.key("Enter");
		see("group sales", "go:row +0/3 +row");
		this.tmux.key("Escape");
		see("Group +Size");
		this.tmux.resize(120, 40);
		this.tmux.type("?");
		see("Any key: back");
		this.tmux.type("?");
		this.tmux.key("Right");
		see("\\[scheduled 1\\]", "go:late +in 5\\dm");
		this.tmux.type("qq");
		end(0);
	}

	@Test
	void actsAfterAnAnswer() {
		start();
		this.tmux.key("Enter");
		see("\\[active 0\\]");
		this.tmux.key("Left");
		this.tmux.key("Left");
		see("\\[archived 3\\]", "go:old");
		this.tmux.type("d");
		see("Delete task .*\\[y/N\\]");
		this.tmux.type("n");
		see("Nothing was done");
		this.tmux.type("Ry");
		see("3 of 3 done", "\\[archived 0\\]");
		assertThat(this.inspector.queueInfo("go").size(TaskState.PENDING)).isEqualTo(5);
		this.tmux.type("Py");
		see("Queue go \\(paused\\)");
		assertThat(this.inspector.queueInfo("go").paused()).isTrue();
		this.tmux.type("q");
		see("go +paused");
		this.tmux.key("Down");
		this.tmux.key("Enter");
		see("Queue java");
		this.tmux.key("l");
		see("\\[pending 120\\]");
		this.tmux.type("D");
		see("Delete all 120 pending tasks of queue java\\? Type the queue's name:");
		this.tmux.type("go");
		this.tmux.key("Enter");
		see("Nothing was done");
		this.tmux.type("Djava");
		this.tmux.key("Enter");
		see("120 of 120 done", "\\[pending 0\\]");
		assertThat(this.inspector.queueInfo("java").size()).isZero();
		this.tmux.key("C-c");
		end(0);
	}

	@Test
	void outlivesARedisThatGoesAway() {
		start();
		see("java +nobody +120 ");
		this.redis.stop();
		see("Redis is away, trying again");
		this.redis = TestRedis.startOwn(this.redis.port());
		see("asynq  0 queues");
		this.tmux.type("q");
		end(0);
	}

	@Test
	void givesTheTerminalBackWhenItIsTerminated() {
		start();
		see("java +nobody +120 ");
		ProcessHandle.of(Long.parseLong(this.tmux.ask("pane_pid")))
			.orElseThrow()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("/java"))
			.forEach(ProcessHandle::destroy);
		end(143);
	}

	@Test
	void tablesFitTheTerminalThatTheyAreIn() {
		String text = "x".repeat(300);
		this.tmux.line("clear; " + program() + " task enqueue -t long --queue go --id wide-1 -l " + text);
		see("Enqueued task wide-1");
		for (int width : new int[] { 80, 60, 120 }) {
			this.tmux.resize(width, 24);
			this.tmux.line("clear; " + program() + " task ls -q go -s pending");
			see("wide-1 +long +x+…\\s+ready> *$");
			assertThat(this.tmux.screen().lines().filter((line) -> line.startsWith("wide-1")).findFirst().orElseThrow())
				.hasSize(width);
		}
		this.tmux.line("clear; " + program() + " task ls -q go -s pending | grep -c " + text);
		see("(?m)^1$");
	}

	@Test
	void hasNoColoursIfNotWanted() {
		start();
		see("java +nobody");
		assertThat(this.tmux.coloured()).containsPattern("\u001b\\[[0-9;]*3[0-9]");
		this.tmux.type("q");
		end(0);
		this.tmux.line("clear; NO_COLOR=1 " + command());
		see("java +nobody");
		assertThat(this.tmux.coloured()).doesNotContainPattern("\u001b\\[([0-9;]*;)?[349][0-7]");
		this.tmux.type("q");
		end(0);
	}

	private void start() {
		this.tmux.line("clear; " + command());
		see("Processed +Failed ErrorRate");
	}

	private String command() {
		return program() + " dash --refresh 1s";
	}

	private String program() {
		return "./asynq -u " + this.redis.host() + ":" + this.redis.port();
	}

	/** The shell is there again, in a terminal that echoes. */
	private void end(int code) {
		await().atMost(PATIENCE).until(() -> this.tmux.ask("alternate_on"), Predicate.isEqual("0"));
		see("ready> *$");
		this.tmux.line(
				"code=$?; clear; echo ended with $code; stty -a | grep -ow -e '-\\?icanon' -e '-\\?isig' -e '-\\?echo'");
		see("ended with " + code, "(?m)^icanon$", "(?m)^isig$", "(?m)^echo$");
		assertThat(this.tmux.ask("cursor_flag")).isEqualTo("1");
	}

	private void see(String... patterns) {
		await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
			String screen = this.tmux.screen().stripTrailing();
			for (String pattern : patterns) {
				assertThat(screen).containsPattern(pattern);
			}
		});
	}

}
