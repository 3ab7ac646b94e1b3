module text
  implicit none
contains
  integer function words(line) result(n)
    character(len=*), intent(in) :: line
    integer :: i
    logical :: in
    n = 0
    in = .false.
    do i = 1, len_trim(line)
      if (line(i:i) == ' ' .or. line(i:i) == ',') then
        in = .false.
      else if (.not. in) then
        in = .true.
        n = n + 1
      end if
    end do
  end function
  subroutine upper(line)
    character(len=*), intent(inout) :: line
    integer :: i
    do i = 1, len(line)
      if (line(i:i) >= 'a' .and. line(i:i) <= 'z') line(i:i) = achar(iachar(line(i:i)) - 32)
    end do
  end subroutine
end module
