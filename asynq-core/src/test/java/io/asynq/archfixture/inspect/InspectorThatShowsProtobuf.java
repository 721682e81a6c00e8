package io.asynq.archfixture.inspect;

import com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

public final class InspectorThatShowsProtobuf {

	public @Nullable MessageLite message() {
		return null;
	}

}
