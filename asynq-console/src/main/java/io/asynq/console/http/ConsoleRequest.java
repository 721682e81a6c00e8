package io.asynq.console.http;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

public record ConsoleRequest(String method, String path, Map<String, String> parameters,
		Function<String, @Nullable String> header, byte[] body, Origin origin) {

	public record Origin(String base, String site, String protocol, @Nullable Principal principal, List<String> passes,
			Supplier<@Nullable Csrf> csrf) {
	}

	public record Csrf(String header, @Nullable String parameter, @Nullable String token, @Nullable String cookie) {
	}

}
