module m
  implicit none
  public :: nothing
end module
