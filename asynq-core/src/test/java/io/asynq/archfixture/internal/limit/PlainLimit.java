package io.asynq.archfixture.internal.limit;

public final class PlainLimit {

}
