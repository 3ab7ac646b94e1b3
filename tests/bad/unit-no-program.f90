! A file of comments only has no program unit.
! Nothing follows.
