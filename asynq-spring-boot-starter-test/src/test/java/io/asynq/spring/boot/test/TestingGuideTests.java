package io.asynq.spring.boot.test;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java of the guide, compiled as it is written beside the README's application, and
 * run as far as it needs no Docker. Among the unit tests, although it starts a Redis: a
 * JVM of its own would cost more.
 */
class TestingGuideTests {

	private static final String GUIDE = "docs/testing.md";

	private static final String IMPORTS = """
			package demo;

			import io.asynq.annotation.TaskHandler;
			import io.asynq.AsynqClient;
			import io.asynq.spring.boot.test.*;
			import java.io.IOException;
			import java.time.Duration;
			import org.junit.jupiter.api.Test;
			import org.junit.jupiter.api.extension.ExtendWith;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.boot.ApplicationRunner;
			import org.springframework.boot.SpringApplication;
			import org.springframework.boot.autoconfigure.SpringBootApplication;
			import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.boot.test.context.TestConfiguration;
			import org.springframework.boot.test.system.CapturedOutput;
			import org.springframework.boot.test.system.OutputCaptureExtension;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.annotation.Import;
			import org.springframework.test.annotation.DirtiesContext;
			import org.springframework.test.util.TestSocketUtils;
			import org.testcontainers.containers.GenericContainer;
			import redis.embedded.RedisServer;

			import static org.assertj.core.api.Assertions.assertThat;
			""";

	private static final String SNIPPETS = """
			class Snippets {

				void retries(AsynqClient client, TestAsynq asynq, Object mail) {
					%s
				}

				void assertions(EnqueuedTasks tasks, TaskAttempt attempt, Object mail) {
					%s
				}

			}
			""";

	/** The application enqueues at its start, and has a server. */
	private static final String EMBEDDED = """
			@SpringBootTest(properties = "asynq.server.shutdown-timeout=1s")
			@Import(EmbeddedRedis.class)
			@DirtiesContext
			@ExtendWith(OutputCaptureExtension.class)
			class EmbeddedRedisTests {

				@Test
				void welcomes(CapturedOutput output) {
					org.awaitility.Awaitility.await()
						.atMost(Duration.ofMinutes(2))
						.until(() -> output.getOut().contains("Welcome, ada@example.com"));
					assertThat(output).doesNotContain("has not started");
				}

			}
			""";

	@Test
	void guidesJavaCompilesAndWhatNeedsNoDockerPasses(@TempDir Path directory) throws Exception {
		compile(directory, block("README.md", "## Quick start"), block(GUIDE, "# Testing"),
				SNIPPETS.formatted(block(GUIDE, "## Modes"), block(GUIDE, "## Assertions")),
				block(GUIDE, "**Embedded**"), EMBEDDED, block(GUIDE, "**Testcontainers**"));
		// As the README says, with a Redis that is not there
		Files.writeString(directory.resolve("application.yml"),
				block("README.md", "## Quick start", "yaml").replaceAll("redis://\\S+", "redis://localhost:1"));
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				getClass().getClassLoader())) {
			thread.setContextClassLoader(loader);
			TestExecutionSummary summary = run(loader.loadClass("demo.DemoApplicationTests"),
					loader.loadClass("demo.EmbeddedRedisTests"));
			assertThat(summary.getFailures()).extracting((failure) -> failure.getException()).isEmpty();
			assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyDependencyOfOursHasItsVersion(Path page) throws Exception {
		Matcher dependency = Pattern
			.compile("<dependency>(?:(?!</dependency>).)*<groupId>io\\.asynq</groupId>.*?</dependency>", Pattern.DOTALL)
			.matcher(Files.readString(page));
		while (dependency.find()) {
			assertThat(dependency.group()).as("no BOM has it").contains("<version>");
		}
	}

	static Stream<Path> pages() throws IOException {
		try (Stream<Path> docs = Files.list(Repository.path("docs"))) {
			return Stream.concat(Stream.of(Repository.path("README.md")),
					docs.filter((page) -> page.toString().endsWith(".md")).toList().stream());
		}
	}

	private static TestExecutionSummary run(Class<?>... tests) {
		LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
		for (Class<?> test : tests) {
			request.selectors(DiscoverySelectors.selectClass(test));
		}
		LauncherDiscoveryRequest built = request.build();
		Launcher launcher = LauncherFactory
			.create(LauncherConfig.builder().enableLauncherSessionListenerAutoRegistration(false).build());
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		launcher.execute(built, listener);
		return listener.getSummary();
	}

	/**
	 * Compiles classes, together because the compiler takes most of its time to begin.
	 */
	private static void compile(Path directory, String... sources) throws IOException {
		List<Path> files = new ArrayList<>();
		for (String source : sources) {
			Matcher name = Pattern.compile("(?m)^class (\\w+)").matcher(source);
			assertThat(name.find()).as(source).isTrue();
			files.add(Files.writeString(directory.resolve(name.group(1) + ".java"), IMPORTS + source));
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-parameters", "-proc:none", "-d", directory.toString(), "-classpath",
					directory + File.pathSeparator + System.getProperty("java.class.path"));
			assertThat(compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
				.call()).as("the guide compiles").isTrue();
		}
	}

	/**
	 * Returns the first block after a text that begins a line.
	 */
	private static String block(String page, String begin) throws IOException {
		return block(page, begin, "java");
	}

	private static String block(String page, String begin, String language) throws IOException {
		String text = Files.readString(Repository.path(page));
		int from = text.indexOf("\n" + begin);
		from = text.startsWith(begin) ? 0 : from;
		assertThat(from).as(begin).isNotNegative();
		Matcher matcher = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
		assertThat(matcher.find(from)).as("a block of %s after %s", language, begin).isTrue();
		return matcher.group(1);
	}

}
