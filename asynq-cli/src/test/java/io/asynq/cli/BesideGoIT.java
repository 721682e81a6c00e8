package io.asynq.cli;

import java.nio.file.Path;
import java.util.List;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Child;
import io.asynq.test.process.Command;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Shows and changes what a Go client and a Go server have written. Needs Go.
 */
@Tag("full")
@ExtendWith(RedisExtension.class)
class BesideGoIT {

	private static Path program;

	private TestShell shell;

	private String address;

	@BeforeAll
	static void build() {
		Path module = Repository.path("asynq-cli");
		program = GoProgram.build(module.resolve("src/test/go"), module.resolve("target/go/fill"));
	}

	@BeforeEach
	void setUp(TestRedis redis) {
		this.shell = new TestShell(getClass(), redis);
		this.address = redis.host() + ":" + redis.port();
	}

	@Test
	void changesWhatGoHasEnqueued() {
		Command.run(program.toString(), this.address);
		assertThat(ok("queue", "ls")).isEqualTo("go\n");
		assertThat(ok("group", "ls", "-q", "go")).isEqualTo("sales\n");
		assertThat(ok("task", "list", "-q", "go", "-s", "pending"))
			.containsPattern("\nfrom-go +go:mail +\\{\"to\":\"gopher\"}")
			.contains("\n\"\\x1b[31mevil\\x1b[0m\"  go:evil  non-printable bytes");
		assertThat(ok("task", "inspect", "-q", "go", "-i", "from-go")).contains("Retried: 0/3\n")
			.endsWith("Payload (15 bytes)\n{\"to\":\"gopher\"}\n");
		assertThat(ok("task", "list", "-q", "go", "-s", "aggregating", "-g", "sales")).contains("go:row  row");
		String late = ok("task", "list", "-q", "go", "-s", "scheduled").lines().skip(2).findFirst().orElseThrow();
		assertThat(ok("task", "update-payload", "-q", "go", "-i", late.split(" ")[0], "-l", "new"))
			.isEqualTo("task payload updated\n");
		assertThat(ok("task", "runall", "-q", "go", "-s", "archived", "--yes")).isEqualTo("3 tasks are now pending\n");
		assertThat(ok("task", "deleteall", "-q", "go", "-s", "pending", "--type", "go:old", "--yes"))
			.isEqualTo("3 tasks deleted\n");
		assertThat(this.shell.run("doctor").out()).contains("queue-without-consumer: go: ").doesNotContain("Repair it");
	}

	@Test
	void showsServerOfGoAndWhatItHasDone() {
		SameDay.begin();
		Path log = Repository.path("asynq-cli").resolve("target/go-server.log");
		try (Child server = Child.start("Go server", List.of(program.toString(), this.address, "serve"), log)) {
			await().untilAsserted(() -> {
				assertThat(ok("server", "ls")).containsPattern("\n\\S+ +\\d+ +active +\\d/3 +go:2 +\\d+s ago");
				assertThat(ok("task", "list", "-q", "go", "-s", "retry", "--error", "no way")).contains("go:evil")
					.contains("no way for go:evil");
				assertThat(ok("queue", "inspect", "go")).containsPattern("\n2 +1 +50.00% +\n");
			});
			assertThat(server).isNotNull();
		}
	}

	private String ok(String... args) {
		Ran ran = this.shell.run(args);
		assertThat(ran.err()).isEmpty();
		assertThat(ran.code()).isZero();
		return ran.out();
	}

}
