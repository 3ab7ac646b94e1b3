module m
  integer :: i
  public :: i
  private :: i
end module
