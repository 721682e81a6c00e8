package io.asynq.console.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * In memory, under a path that changes with the content: browsers keep it for ever.
 */
final class StaticFiles {

	static final String INDEX = "index.html";

	private static final String PLACE = "io/asynq/console/static/";

	private static final String VENDORED = "vendor/";

	/** A comment on its own lines, or a type: no text of a script looks like it. */
	private static final Pattern COMMENT = Pattern
		.compile("(?m)^\\h*+(?:/\\*[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/\\h*+$|//[^\n]*+)|/\\*\\* @type \\{[^*]*+\\*/ ?");

	private static final Pattern INDENTATION = Pattern.compile("(?m)^\t+");

	private static final Map<String, String> MEDIA_TYPES = Map.of("js", "text/javascript;charset=UTF-8", "css",
			"text/css;charset=UTF-8", "svg", "image/svg+xml", "png", "image/png", "json", "application/json", "txt",
			"text/plain;charset=UTF-8", "md", "text/plain;charset=UTF-8");

	private final Map<String, StaticFile> files;

	private final String hash;

	private StaticFiles(Map<String, byte[]> contents) {
		this.files = new TreeMap<>();
		contents.forEach((name, content) -> this.files.put(name, StaticFile.of(name, sent(name, content))));
		this.hash = hash(contents);
	}

	static StaticFiles load(ClassLoader loader) {
		try {
			Map<String, byte[]> contents = new TreeMap<>();
			for (Resource resource : new PathMatchingResourcePatternResolver(loader)
				.getResources("classpath*:" + PLACE + "**")) {
				String url = resource.getURL().toString();
				if (resource.isReadable() && !url.endsWith("/")) {
					contents.put(url.substring(url.lastIndexOf(PLACE) + PLACE.length()),
							resource.getContentAsByteArray());
				}
			}
			return new StaticFiles(contents);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The files of the console cannot be read", ex);
		}
	}

	String prefix() {
		return "assets/" + this.hash + "/";
	}

	byte @Nullable [] index() {
		StaticFile index = this.files.get(INDEX);
		return (index != null) ? index.content() : null;
	}

	ConsoleResponse answer(String path, @Nullable String acceptEncoding) {
		int slash = path.indexOf('/');
		StaticFile file = (slash > 0 && !path.endsWith(INDEX)) ? this.files.get(path.substring(slash + 1)) : null;
		// A page of another version, open since before a deployment, must not get a
		// mixture
		if (file == null || !path.substring(0, slash).equals(this.hash)) {
			return ConsoleResponse.of(404, "text/plain;charset=UTF-8", "No such file".getBytes());
		}
		boolean zipped = file.zipped() != null && isZipped(acceptEncoding);
		ConsoleResponse response = ConsoleResponse.of(200, file.mediaType(), zipped ? file.zipped() : file.content())
			.with("Cache-Control", "private, max-age=31536000, immutable")
			.with("Vary", "Accept-Encoding");
		return zipped ? response.with("Content-Encoding", "gzip") : response;
	}

	/** Its lines keep their numbers, for those who look for an error. */
	private static byte[] sent(String name, byte[] content) {
		if (name.startsWith(VENDORED) || !(name.endsWith(".js") || name.endsWith(".css"))) {
			return content;
		}
		String text = COMMENT.matcher(new String(content, StandardCharsets.UTF_8))
			.replaceAll((comment) -> "\n".repeat((int) comment.group().lines().count() - 1));
		return INDENTATION.matcher(text).replaceAll("").getBytes(StandardCharsets.UTF_8);
	}

	static boolean isZipped(@Nullable String acceptEncoding) {
		return acceptEncoding != null && acceptEncoding.contains("gzip");
	}

	static byte[] zip(byte[] content) {
		ByteArrayOutputStream zipped = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(zipped) {
			{
				this.def.setLevel(Deflater.BEST_COMPRESSION);
			}
		}) {
			out.write(content);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return zipped.toByteArray();
	}

	private static String hash(Map<String, byte[]> contents) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			contents.forEach((name, content) -> {
				digest.update(name.getBytes());
				digest.update(content);
			});
			return HexFormat.of().formatHex(digest.digest(), 0, 6);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private record StaticFile(String mediaType, byte[] content, byte @Nullable [] zipped) {

		static StaticFile of(String name, byte[] content) {
			String extension = name.substring(name.lastIndexOf('.') + 1);
			byte[] zipped = StaticFiles.zip(content);
			return new StaticFile(MEDIA_TYPES.getOrDefault(extension, "application/octet-stream"), content,
					(zipped.length < content.length) ? zipped : null);
		}

	}

}
