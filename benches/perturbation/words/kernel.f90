integer function count_words(text)
  implicit none
  character(*), intent(in) :: text
  integer :: i
  logical :: is_inside
  count_words = 0
  is_inside = .false.
  do i = 1, len(text)
    select case (text(i:i))
    case ('a':'z', 'A':'Z')
      if (.not. is_inside) count_words = count_words + 1
      is_inside = .true.
    case ('0':'9')
      if (is_inside) cycle
    case default
      is_inside = .false.
    end select
  end do
end function
