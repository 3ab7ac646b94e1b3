! told at 8:14: Pointer actual argument 'rows_of' is not associated
program fault
  integer, target :: table(4)
  integer :: sum
  table = 5
  sum = 0
  call added(rows_of(.true.), sum)
  call added(rows_of(.false.), sum)
  print *, sum
contains
    function rows_of(some)
      logical, intent(in) :: some
      integer, pointer :: rows_of(:)
      nullify(rows_of)
      if (some) rows_of => table(::2)
    end function
    subroutine added(rows, sum)
      integer :: rows(2), sum
      sum = sum + rows(1) + rows(2)
    end subroutine
end program
