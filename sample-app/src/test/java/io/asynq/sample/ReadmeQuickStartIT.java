package io.asynq.sample;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The quick start of the README, compiled and run as written.
 */
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class ReadmeQuickStartIT {

	private static final String IMPORTS = """
			package demo;

			import io.asynq.annotation.TaskHandler;
			import io.asynq.AsynqClient;
			import org.springframework.boot.ApplicationRunner;
			import org.springframework.boot.SpringApplication;
			import org.springframework.boot.autoconfigure.SpringBootApplication;
			import org.springframework.context.annotation.Bean;
			""";

	@Test
	void printsWelcomeAndShowsQueue(RedisConnectionFactory emptied, @TempDir Path directory, CapturedOutput output)
			throws Exception {
		String section = section("## Quick start");
		compile(directory, IMPORTS + block(section, "java"));
		Path settings = Files.writeString(directory.resolve("application.yml"),
				block(section, "yaml").replaceAll("redis://\\S+", TestRedis.shared().uri().toString()));
		try (URLClassLoader loader = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				getClass().getClassLoader()); ConfigurableApplicationContext context = start(loader, settings)) {
			await().until(() -> output.getOut().contains("Welcome, ada@example.com"));
			String port = context.getBean(Environment.class).getProperty("local.server.port");
			RestClient http = RestClient.create("http://localhost:" + port);
			await().untilAsserted(() -> assertThat(http.get().uri("/actuator/prometheus").retrieve().body(String.class))
				.contains("asynq_tasks_processed_total{queue=\"default\"} 1.0"));
		}
	}

	private static ConfigurableApplicationContext start(ClassLoader loader, Path settings) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			SpringApplication application = new SpringApplication(new DefaultResourceLoader(loader),
					loader.loadClass("demo.DemoApplication"));
			return application.run("--server.port=0", "--spring.config.location=" + settings.toUri());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static void compile(Path directory, String source) throws IOException {
		Path file = Files.writeString(directory.resolve("DemoApplication.java"), source);
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-parameters", "-d", directory.toString(), "-classpath",
					System.getProperty("java.class.path"));
			assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file)).call())
				.as("the README's code compiles")
				.isTrue();
		}
	}

	private static String section(String heading) throws IOException {
		String readme = Files.readString(Path.of("..", "README.md"));
		int from = readme.indexOf(heading + "\n");
		assertThat(from).as(heading).isNotNegative();
		return readme.substring(from, readme.indexOf("\n## ", from + 1));
	}

	private static String block(String section, String language) {
		Matcher matcher = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(section);
		assertThat(matcher.find()).as("a block of " + language).isTrue();
		return matcher.group(1);
	}

}
