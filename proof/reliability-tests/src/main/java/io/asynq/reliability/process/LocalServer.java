package io.asynq.reliability.process;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with a server in this JVM, which nobody kills. */
public final class LocalServer {

	private LocalServer() {
	}

	public static ConfigurableApplicationContext start(Class<?> application, Map<String, String> properties,
			List<String> queues) {
		Map<String, String> all = new LinkedHashMap<>(properties);
		all.put("spring.main.banner-mode", "off");
		queues.forEach((queue) -> all.put("asynq.server.queues." + queue, "1"));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(arguments(all).toArray(String[]::new));
	}

	public static List<String> arguments(Map<String, String> properties) {
		return properties.entrySet().stream().map((entry) -> "--" + entry.getKey() + "=" + entry.getValue()).toList();
	}

}
