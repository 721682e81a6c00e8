package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/**
 * The metadata on the class path does not list the settings of a map's values, which are
 * the components of their record.
 */
final class KnownProperties {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final KnownProperties OF_CLASS_PATH = load();

	private final List<Property> properties;

	private KnownProperties(List<Property> properties) {
		this.properties = properties;
	}

	/** Nothing is known if the metadata was left out of the application. */
	static KnownProperties ofClassPath() {
		return OF_CLASS_PATH;
	}

	private static KnownProperties load() {
		ClassLoader loader = KnownProperties.class.getClassLoader();
		List<Property> properties = new ArrayList<>();
		try {
			for (URL metadata : Collections.list(loader.getResources(METADATA))) {
				read(metadata, properties);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new KnownProperties(properties);
	}

	private static void read(URL metadata, List<Property> properties) throws IOException {
		String text;
		try (InputStream content = metadata.openStream()) {
			text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
		}
		if (text.contains("\"asynq.")
				&& JsonParserFactory.getJsonParser().parseMap(text).get("properties") instanceof List<?> listed) {
			listed.stream()
				.map((entry) -> (Map<?, ?>) entry)
				.filter((entry) -> entry.get("name").toString().startsWith("asynq."))
				.map((entry) -> new Property(ConfigurationPropertyName.of(entry.get("name").toString()),
						String.valueOf(entry.get("type"))))
				.forEach(properties::add);
		}
	}

	boolean isEmpty() {
		return this.properties.isEmpty();
	}

	boolean hasAnyBelow(ConfigurationPropertyName prefix) {
		return this.properties.stream().anyMatch((property) -> prefix.isAncestorOf(property.name()));
	}

	/** Accepts any form that property binding accepts. */
	Optional<Property> find(ConfigurationPropertyName name) {
		return like(name).filter((property) -> property.covers(name)).findFirst();
	}

	/** Returns {@code null} if no property or group is spelt alike. */
	@Nullable ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
		return like(name).map(Property::name)
			.flatMap((known) -> Stream.iterate(known, (each) -> each.getNumberOfElements() > 1,
					ConfigurationPropertyName::getParent))
			.filter((known) -> !known.isAncestorOf(name))
			.filter((known) -> isAlike(name.toString(), known.toString()))
			.min(Comparator.comparingInt((known) -> distance(name.toString(), known.toString())))
			.orElse(null);
	}

	/** Those of a map's values have the key that the name has in that place. */
	private Stream<Property> like(ConfigurationPropertyName name) {
		return this.properties.stream()
			.flatMap((property) -> Stream.concat(Stream.of(property), property.values(name)));
	}

	/**
	 * Few letters differ, in each part and in all, seen by the length of the last one.
	 */
	private static boolean isAlike(String given, String known) {
		String[] parts = given.split("\\.");
		String[] meant = known.split("\\.");
		// An environment variable has parts of its own
		return areFew(given, known, meant[meant.length - 1]) && (parts.length != meant.length
				|| IntStream.range(0, parts.length).allMatch((i) -> areFew(parts[i], meant[i], meant[i])));
	}

	private static boolean areFew(String given, String known, String part) {
		return distance(given, known) <= Math.max(2, part.length() / 3);
	}

	/** The Levenshtein distance; property binding ignores case and dashes. */
	private static int distance(String one, String other) {
		String from = letters(one);
		String to = letters(other);
		int[] row = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int changed = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[to.length()];
	}

	private static String letters(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * @param type with generics
	 */
	record Property(ConfigurationPropertyName name, String type) {

		boolean isDuration() {
			return this.type.equals(Duration.class.getName());
		}

		private boolean covers(ConfigurationPropertyName given) {
			return this.name.equals(given) || given.isAncestorOf(this.name) || isLegacy(given)
					|| (isOpen() && this.name.isAncestorOf(given));
		}

		/** An environment variable with underscores in place of dashes. */
		private boolean isLegacy(ConfigurationPropertyName given) {
			return this.name.toString().replace('-', '.').equals(given.toString());
		}

		private boolean isOpen() {
			return this.type.startsWith("java.util.") && record() == null;
		}

		private Stream<Property> values(ConfigurationPropertyName given) {
			int size = this.name.getNumberOfElements();
			Class<?> record = record();
			if (record == null || given.getNumberOfElements() <= size) {
				return Stream.empty();
			}
			ConfigurationPropertyName entry = this.name.append(given.subName(size).chop(1));
			return Stream.concat(Stream.of(new Property(entry, "")),
					Stream.of(record.getRecordComponents())
						.map((component) -> new Property(
								entry.append(DataObjectPropertyName.toDashedForm(component.getName())),
								component.getGenericType().getTypeName())));
		}

		private @Nullable Class<?> record() {
			if (!this.type.startsWith("java.util.Map<")) {
				return null;
			}
			String value = this.type.substring(this.type.indexOf(',') + 1, this.type.length() - 1).strip();
			try {
				Class<?> found = ClassUtils.forName(value, KnownProperties.class.getClassLoader());
				return found.isRecord() ? found : null;
			}
			catch (ClassNotFoundException | LinkageError ex) {
				return null;
			}
		}

	}

}
