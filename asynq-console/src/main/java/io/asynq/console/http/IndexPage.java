package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.ConsoleRight;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.json.JsonMapper;

final class IndexPage {

	private final String template;

	private final String assets;

	private final AsynqConsoleProperties properties;

	private final JsonMapper json = JsonMapper.builder().build();

	IndexPage(StaticFiles files, AsynqConsoleProperties properties) {
		byte[] index = files.index();
		this.template = (index != null) ? new String(index, StandardCharsets.UTF_8)
				: "<!doctype html><html lang=\"en\"><base href=\"{{base}}/\"><title>{{title}}</title>"
						+ "<script type=\"application/json\" id=\"config\">{{config}}</script></html>";
		this.assets = files.prefix();
		this.properties = properties;
	}

	ConsoleResponse answer(ConsoleRequest request, ConsoleCaller caller) {
		ConsoleRequest.Origin origin = request.origin();
		String page = this.template.replace("{{base}}", HtmlUtils.htmlEscape(origin.base()))
			.replace("{{assets}}", this.assets)
			.replace("{{title}}", HtmlUtils.htmlEscape(this.properties.title()))
			.replace("{{config}}", config(origin, caller));
		byte[] content = page.getBytes(StandardCharsets.UTF_8);
		boolean zipped = StaticFiles.isZipped(request.header().apply("Accept-Encoding"));
		ConsoleResponse response = ConsoleResponse
			.of(200, "text/html;charset=UTF-8", zipped ? StaticFiles.zip(content) : content)
			.with("Vary", "Accept-Encoding");
		return zipped ? response.with("Content-Encoding", "gzip") : response;
	}

	private String config(ConsoleRequest.Origin origin, ConsoleCaller caller) {
		Map<String, Object> config = new LinkedHashMap<>();
		config.put("base", origin.base());
		config.put("access", this.properties.effectiveAccess().name().toLowerCase(Locale.ROOT).replace('_', '-'));
		config.put("principal", caller.name());
		config.put("authorities", Map.of("look", caller.may(ConsoleRight.LOOK, null), "act",
				caller.may(ConsoleRight.ACT, null), "admin", caller.may(ConsoleRight.ADMIN, null)));
		config.put("csrf", origin.csrf().get());
		config.put("showPayloads", caller.may(ConsoleRight.SEE_PAYLOADS, null));
		config.put("requireReason", this.properties.requireReason());
		config.put("refreshMillis", this.properties.refresh().toMillis());
		config.put("scanLimit", this.properties.scanLimit());
		config.put("assets", this.assets);
		config.put("version", getClass().getPackage().getImplementationVersion());
		config.put("title", this.properties.title());
		// Nothing in it may end the element
		return this.json.writeValueAsString(config)
			.replace("<", "\\u003c")
			.replace(">", "\\u003e")
			.replace("&", "\\u0026");
	}

}
